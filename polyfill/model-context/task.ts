/**
 * Task queue as the specification uses it: later than microtasks, in order, not throttled.
 *
 * Timers are throttled in hidden tabs, where agents work too, so a message channel carries the
 * tasks. An event loop may take its next task from the same source, so one message runs several
 * queued tasks: each after the microtasks of the previous one, and a bounded number per message.
 *
 * @module
 */

const tasks: (() => void)[] = []
let port: MessagePort | undefined

/** Maximum number of tasks of one message, so that other task sources get their turn. */
const TURN = 999

/** Microtask turns to wait after a task, so that the promise reactions it caused can run. */
const AFTER = 9

/** Queues a task. https://html.spec.whatwg.org/#queue-a-global-task */
export function queueTask(task: () => void): void {
  if (tasks.push(task) === 1) post()
}

function post(): void {
  port ??= open()
  port.postMessage(0)
}

function open(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = turn
  return port2
}

async function turn(): Promise<void> {
  for (let left = TURN; left-- && tasks[0];) {
    try {
      tasks[0]()
    } catch (error) {
      // Reported to the page, as an error in any task.
      reportError(error)
    }
    for (let step = AFTER; step--;) await Promise.resolve()
    tasks.shift()
  }
  if (tasks[0]) post()
}
