/**
 * The link to the server that the console looks at: made anew when the target changes, and told of
 * as one signal, so that every page shows the same.
 *
 * @module
 */

import { computed, effect, signal } from '@preact/signals'
import { connect } from '../../connection/connection.ts'
import { signInTo } from '../../connection/oauth.ts'
import { problemOf } from '../../connection/problem.ts'
import type {
  Connection,
  ConnectionProblem,
  ConnectionState,
  SignIn,
  Tool,
} from '../../connection/types.ts'
import { createTrafficLog } from '../../records/traffic.ts'
import { heard, isSignedOut } from './person.ts'
import { askServerQuestion } from './questions.ts'
import { remember, target, type Target } from './target.ts'

export type Link =
  | { readonly state: 'connecting' }
  | { readonly state: 'ready'; readonly connection: Connection }
  | { readonly state: 'failed'; readonly problem: ConnectionProblem }

export const link = signal<Link>({ state: 'connecting' })

export const connection = computed(() =>
  link.value.state === 'ready' ? link.value.connection : null,
)

export const tools = signal<readonly Tool[]>([])

/** How the open connection fares. */
export const health = signal<ConnectionState>({ name: 'open' })

/** Counts up whenever the server says that something is not as it was. */
export const touched = signal(0)

export const traffic = createTrafficLog()

/** Whether new messages are kept in the log. */
export const isRecording = signal(true)

/** The way to sign in, while the person may have to. */
export const signingIn = signal<SignIn | null>(null)

const attempt = signal(0)

export const reconnect = () => void attempt.value++

/** Connects, and again whenever the target changes. */
export function startLink(): void {
  effect(follow)
  effect(comeBack)
  addEventListener('online', online)
}

/** The network of this machine is back: nobody has to wait for the next attempt. */
function online(): void {
  const open = connection.peek()
  if (!open) return void (link.peek().state === 'failed' && reconnect())
  open.reconnect()
  touched.value++
}

let wasSignedOut = false

/** A line that ended because nobody was signed in does not come back by itself. */
function comeBack(): void {
  const isBack = wasSignedOut && !isSignedOut.value
  wasSignedOut = isSignedOut.value
  if (!isBack) return
  if (connection.peek() && health.peek().name === 'open') touched.value = touched.peek() + 1
  else reconnect()
}

function follow(): () => void {
  void attempt.value
  const wanted = target.value
  const controller = new AbortController()
  let open: Connection | null = null
  link.value = { state: 'connecting' }
  openTo(wanted, controller.signal).then(
    (made) => {
      if (controller.signal.aborted) return void made.close()
      open = made
      welcome(made, wanted)
    },
    (error: unknown) => {
      if (!controller.signal.aborted) link.value = { state: 'failed', problem: problemOf(error) }
    },
  )
  return () => {
    controller.abort()
    tools.value = []
    void open?.close()
  }
}

function openTo({ url, era, headers, configuration, signIn }: Target, signal: AbortSignal) {
  const auth = signIn ? signInTo(url) : null
  signingIn.value = auth
  return connect({
    url,
    era,
    headers,
    signal,
    ...(configuration !== undefined && { configuration }),
    ...(auth && { auth }),
    onTraffic: (entry) => {
      if (isRecording.peek()) traffic.add(entry)
    },
    onElicitation: (question, signal) => askServerQuestion(question, new URL(url).host, signal),
    onUnauthorized: ({ kind }) => {
      if (kind === 'unauthorized' && isOwn(url)) heard(401)
    },
  })
}

/** Whether it is a cookie that lets the console in. A session link proves itself. */
function isOwn(url: string): boolean {
  const { origin, pathname } = new URL(url)
  return origin === location.origin && !pathname.startsWith('/s/')
}

function welcome(made: Connection, wanted: Target): void {
  tools.value = made.tools
  health.value = made.state
  made.on('tools', (list) => (tools.value = list))
  made.on('state', (state) => {
    const isBack = health.value.name === 'reconnecting' && state.name === 'open'
    health.value = state
    if (isBack) touched.value++
  })
  made.on('resources', () => void touched.value++)
  made.on('updated', () => void touched.value++)
  link.value = { state: 'ready', connection: made }
  remember(made.server.title, wanted)
}

/** The connection, where a page is drawn only when there is one. */
export function openConnection(): Connection {
  const open = connection.value
  if (!open) throw new Error('There is no connection')
  return open
}
