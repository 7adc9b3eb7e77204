/**
 * Shared code of the apps of both versions of the official class: they record events, and run the
 * methods that the test names.
 *
 * @module
 */

type Listener = (params: Readonly<Record<string, unknown>>) => void

interface OfficialApp {
  addEventListener(event: (typeof EVENTS)[number], handler: Listener): void
  getHostContext(): unknown
  getHostCapabilities(): unknown
  getHostVersion(): unknown
}

const EVENTS = [
  'toolinput',
  'toolinputpartial',
  'toolresult',
  'toolcancelled',
  'hostcontextchanged',
] as const

/** One event that the app received. */
export interface AppEvent {
  readonly event: string
  readonly params: unknown
}

interface Driver {
  readonly events: AppEvent[]
  readonly app: OfficialApp
  readonly connected: boolean
  /** Calls a method of the app. */
  run(method: string, ...values: readonly unknown[]): unknown
}

declare global {
  // oxlint-disable-next-line no-var -- the only word that declares a global
  var driver: Driver
}

/** Adds the listeners, then connects, in the order that the class requires. */
export async function start(app: OfficialApp, connect: () => Promise<void>): Promise<void> {
  const events: AppEvent[] = []
  for (const event of EVENTS)
    app.addEventListener(event, (params) => void events.push({ event, params }))
  const run = (method: string, ...values: readonly unknown[]): unknown =>
    Reflect.apply(Object(Reflect.get(app, method)), app, values)
  globalThis.driver = { events, app, run, connected: false }
  await connect()
  globalThis.driver = { events, app, run, connected: true }
}

/** Handles the teardown: records it, and takes a moment. */
export async function farewell(): Promise<Record<string, unknown>> {
  globalThis.driver.events.push({ event: 'teardown', params: {} })
  await new Promise((resolve) => void setTimeout(resolve, 200))
  globalThis.driver.run('sendLog', { level: 'info', data: 'farewell' })
  return {}
}
