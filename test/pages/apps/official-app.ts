/**
 * What the apps of both generations of the official class have in common: they write down what they
 * are told, and do what the test tells them.
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

/** What the app has been told, by the event's name. */
export interface Told {
  readonly event: string
  readonly params: unknown
}

interface Driver {
  readonly told: Told[]
  readonly app: OfficialApp
  readonly connected: boolean
  /** Calls a method of the app. */
  run(method: string, ...values: readonly unknown[]): unknown
}

declare global {
  // oxlint-disable-next-line no-var -- the only word that declares a global
  var driver: Driver
}

/** Listens, then connects. Told before `connect`, as the class wants it. */
export async function start(app: OfficialApp, connect: () => Promise<void>): Promise<void> {
  const told: Told[] = []
  for (const event of EVENTS)
    app.addEventListener(event, (params) => void told.push({ event, params }))
  const run = (method: string, ...values: readonly unknown[]): unknown =>
    Reflect.apply(Object(Reflect.get(app, method)), app, values)
  globalThis.driver = { told, app, run, connected: false }
  await connect()
  globalThis.driver = { told, app, run, connected: true }
}

/** The last thing an app does: it takes a moment and writes down that it was asked to. */
export async function farewell(): Promise<Record<string, unknown>> {
  globalThis.driver.told.push({ event: 'teardown', params: {} })
  await new Promise((resolve) => void setTimeout(resolve, 200))
  globalThis.driver.run('sendLog', { level: 'info', data: 'farewell' })
  return {}
}
