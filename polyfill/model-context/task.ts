/**
 * Tasks, as the specification queues them: later than microtasks, in order, never throttled.
 *
 * Timers are slowed down in hidden tabs, where agents work too, so a message channel carries them. An
 * event loop may take its next task from the same source, and so do we while there is one: when what
 * the task before has left behind is done, and for a bounded number of steps.
 *
 * @module
 */

const tasks: (() => void)[] = []
let port: MessagePort | undefined

/** Whether there will be a turn, or is one. */
let coming = false

/** Steps of one turn, after which others get theirs. */
const STEPS = 999

/** Steps in which no task has come, after which a turn is over. */
const IDLE = 16

/** https://html.spec.whatwg.org/#queue-a-global-task */
export function queueTask(task: () => void): void {
  tasks.push(task)
  if (!coming) post()
}

function post(): void {
  coming = true
  port ??= open()
  port.postMessage(null)
}

function open(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = turn
  return port2
}

async function turn(): Promise<void> {
  for (let step = 0, idle = 0; step < STEPS && idle < IDLE; step++, idle++) {
    const task = tasks.shift()
    if (task) {
      // Not called from here, so what it throws is the page's to hear of.
      queueMicrotask(task)
      idle = 0
    }
    await undefined
  }
  coming = false
  if (tasks.length) post()
}
