/**
 * Tasks, as the specification queues them: later than microtasks, in order, never throttled.
 *
 * Timers are slowed down in hidden tabs, where agents work too, so a message channel carries them. An
 * event loop may take its next task from the same source, and so do we while there is one: when what
 * the task before has left behind is done, and for a bounded number of them.
 *
 * @module
 */

const tasks: (() => void)[] = []
let port: MessagePort | undefined

/** Tasks of one turn, after which others get theirs. */
const TURN = 999

/** Microtasks, one after the other, in which what a task leaves behind is done. */
const AFTER = 9

/** https://html.spec.whatwg.org/#queue-a-global-task */
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
      // The page's to hear of, as of any task.
      reportError(error)
    }
    for (let step = AFTER; step--;) await Promise.resolve()
    tasks.shift()
  }
  if (tasks[0]) post()
}
