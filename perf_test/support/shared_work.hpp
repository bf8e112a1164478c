// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Items of work done by several processes, each taking the next item when it is free.
#pragma once

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::perf {

/// The processors that this process may run on, those that share a core with an earlier one last.
struct Processors {
  std::vector<int> numbers;
  std::size_t cores = 0;  ///< so many of them, the first, have a core each

  static Processors allowed() {
    Processors found;
    std::vector<int> siblings;
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (!CPU_ISSET(cpu, &set)) continue;
      (first_allowed_sibling(cpu, set) == cpu ? found.numbers : siblings).push_back(cpu);
    }
    found.cores = found.numbers.size();
    found.numbers.insert(found.numbers.end(), siblings.begin(), siblings.end());
    return found;
  }

 private:
  /// The system lists them as "3,35" or "6-7"; where it does not, a processor is alone.
  static int first_allowed_sibling(int cpu, const cpu_set_t& set) {
    std::ifstream list("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                       "/topology/thread_siblings_list");
    for (int first = 0; list >> first; list.ignore(1, ',')) {
      int last = first;
      if (list.peek() == '-') list.ignore(1) >> last;
      for (int sibling = first; sibling <= last; ++sibling) {
        if (CPU_ISSET(sibling, &set)) return sibling;
      }
    }
    return cpu;
  }
};

/// Processes that share items of work. They are forked in the constructor, so before anything in
/// this process starts threads.
class SharedWork {
 public:
  using Next = std::function<std::optional<std::size_t>()>;
  using Send = std::function<void(const std::string&)>;

  /// `work(next, send)` runs in each of `processes` processes: `next()` gives an item below
  /// `num_items` that no other process has, or none where all are taken; what it sends arrives at
  /// `receive`. With enough cores each process and its children stay on `threads` of their own.
  SharedWork(std::size_t num_items, int processes, int threads,
             const std::function<void(const Next&, const Send&)>& work) {
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
      throw std::runtime_error("no socket for the processes that share the work");
    void* const memory = mmap(nullptr, sizeof(std::atomic<std::size_t>), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    auto& taken = *new (memory) std::atomic<std::size_t>(0);
    const Next next = [&taken, num_items]() -> std::optional<std::size_t> {
      const std::size_t item = taken.fetch_add(1);
      return item < num_items ? std::optional(item) : std::nullopt;
    };
    const Send send = [to = sockets[1]](const std::string& message) {
      if (::send(to, message.data(), message.size(), MSG_NOSIGNAL) < 0)
        throw std::runtime_error("a message to the process that collects them cannot be sent");
    };

    const Processors processors = Processors::allowed();
    const bool bound = binds(processes, threads);
    std::fflush(nullptr);
    const pid_t parent = getpid();
    for (int i = 0; i < processes; ++i) {
      const pid_t process = fork();
      if (process < 0) throw std::runtime_error("a process that shares the work cannot be started");
      if (process > 0) {
        m_processes.push_back(process);
        continue;
      }
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      if (getppid() != parent) _exit(70);
      close(sockets[0]);
      if (bound) bind_to(processors, i * threads, threads);
      run(work, next, send);
    }
    close(sockets[1]);
    m_receiver = sockets[0];
  }
  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;
  ~SharedWork() {
    close(m_receiver);
    for (const pid_t process : m_processes)
      waitpid(process, nullptr, 0);
  }

  /// Whether each of several processes gets cores of its own.
  static bool binds(int processes, int threads) {
    const auto wanted = static_cast<std::size_t>(processes) * static_cast<std::size_t>(threads);
    return processes > 1 && wanted <= Processors::allowed().cores;
  }

  /// Hands over what the processes send until all of them have ended.
  void receive(const std::function<void(const std::string&)>& handle) {
    for (;;) {
      const ssize_t length = recv(m_receiver, nullptr, 0, MSG_PEEK | MSG_TRUNC);
      if (length <= 0) break;
      std::string message(static_cast<std::size_t>(length), '\0');
      recv(m_receiver, message.data(), message.size(), 0);
      handle(message);
    }
  }

 private:
  static void bind_to(const Processors& processors, int first, int count) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = first; i < first + count; ++i)
      CPU_SET(processors.numbers[static_cast<std::size_t>(i)], &set);
    sched_setaffinity(0, sizeof set, &set);
  }

  [[noreturn]] static void run(const std::function<void(const Next&, const Send&)>& work,
                               const Next& next, const Send& send) {
    int status = 0;
    try {
      work(next, send);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      status = 70;
    }
    std::fflush(nullptr);
    _exit(status);
  }

  std::vector<pid_t> m_processes;
  int m_receiver = -1;
};

}  // namespace tessera::perf
