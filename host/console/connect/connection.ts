/**
 * The connection to the server that the console shows: replaced when the target changes, and shared
 * as one signal, so that all pages show the same.
 *
 * @module
 */

import { computed, effect, signal } from '@preact/signals'
import { connect } from '../../mcp/connect.ts'
import { signInTo } from '../../mcp/oauth.ts'
import { type ConnectionProblem, problemOf } from '../../mcp/errors.ts'
import type { Connection, ConnectionState, SignIn } from '../../mcp/connection.ts'
import { debounce } from '../../mcp/schedule.ts'
import type { Tool } from '../../mcp/types.ts'
import { MessageLog } from '../../records/message-log.ts'
import { noteStatus, isSignedOut } from './http.ts'
import { askForAnswer, askServerQuestion } from '../questions/queue.ts'
import { noteConfigSchema } from './config-schema.ts'
import { isPageHidden, pauseWhileHidden } from './pause-while-hidden.ts'
import { remember, target, type Target } from './target.ts'

/** State of the console's connection. */
export type ConnectionStatus =
  | { readonly state: 'connecting' }
  | { readonly state: 'ready'; readonly connection: Connection }
  | { readonly state: 'failed'; readonly problem: ConnectionProblem }

/** The connection and its state. */
export const connectionStatus = signal<ConnectionStatus>({ state: 'connecting' })

/** The open connection; null if there is none. */
export const connection = computed(() =>
  connectionStatus.value.state === 'ready' ? connectionStatus.value.connection : null,
)

/** The server's tools; empty without a connection. */
export const tools = signal<readonly Tool[]>([])

/** Whether the open connection works or is reconnecting. */
export const health = signal<ConnectionState>({ name: 'open' })

/** A counter that increases on each sign of a change on the server; pages reload when it does. */
export const revision = signal(0)

/** The message log of this page. */
export const traffic = new MessageLog()

/** Whether new messages are added to the log. */
export const isRecording = signal(true)

/** The sign-in of the current connection, if the target allows one. */
export const currentSignIn = signal<SignIn | null>(null)

const attempt = signal(0)

/** Replaces the connection by a new one. */
export const reconnect = () => void attempt.value++

/** Connects, and reconnects whenever the target changes. Call it once. */
export function startConnection(): void {
  effect(connectToTarget)
  effect(resumeAfterSignIn)
  addEventListener('online', reconnectOnline)
}

/** Reconnects at once when the browser is online again. */
function reconnectOnline(): void {
  const open = connection.peek()
  if (!open) return void (connectionStatus.peek().state === 'failed' && reconnect())
  open.reconnect()
  revision.value++
}

let wasSignedOut = false

/**
 * Reloads, or reconnects, after the user signed in again; a connection that ended with 401 does not
 * retry.
 */
function resumeAfterSignIn(): void {
  const isBack = wasSignedOut && !isSignedOut.value
  wasSignedOut = isSignedOut.value
  if (!isBack) return
  if (connection.peek() && health.peek().name === 'open') revision.value = revision.peek() + 1
  else reconnect()
}

function connectToTarget(): () => void {
  void attempt.value
  const wanted = target.value
  const controller = new AbortController()
  let open: Connection | null = null
  connectionStatus.value = { state: 'connecting' }
  openConnectionTo(wanted, controller.signal).then(
    (made) => {
      if (controller.signal.aborted) return void made.close()
      open = made
      adopt(made, wanted)
    },
    (error: unknown) => {
      if (!controller.signal.aborted)
        connectionStatus.value = { state: 'failed', problem: problemOf(error) }
    },
  )
  return () => {
    controller.abort()
    tools.value = []
    void open?.close()
  }
}

function openConnectionTo(
  { url, era, headers, configuration, signIn }: Target,
  signal: AbortSignal,
) {
  const auth = signIn ? signInTo(url) : null
  currentSignIn.value = auth
  return connect({
    url,
    era,
    headers,
    signal,
    paused: isPageHidden(),
    ...(configuration !== undefined && { configuration }),
    ...(auth && { auth }),
    onTraffic: (entry) => {
      if (isRecording.peek()) traffic.add(entry)
    },
    onElicitation: (question, signal) => askServerQuestion(question, new URL(url).host, signal),
    onSampling: (request, signal) => askForAnswer(request, new URL(url).host, signal),
    onUnauthorized: ({ kind }) => {
      if (kind === 'unauthorized' && isOwn(url)) noteStatus(401)
    },
  })
}

/** Whether the URL is authorized by the owner's cookie. A session link carries its own token. */
function isOwn(url: string): boolean {
  const { origin, pathname } = new URL(url)
  return origin === location.origin && !pathname.startsWith('/s/')
}

/** Gathers notifications of changes: after each, the open page sends its requests again. */
const noteChange = debounce(() => void revision.value++, { delay: 0, interval: 1_000 })

function adopt(made: Connection, wanted: Target): void {
  tools.value = made.tools
  health.value = made.state
  made.on('tools', (list) => (tools.value = list))
  made.on('state', (state) => {
    const isBack = health.value.name === 'reconnecting' && state.name === 'open'
    health.value = state
    if (isBack) revision.value++
  })
  made.on('resources', noteChange)
  made.on('updated', noteChange)
  pauseWhileHidden(made, () => void revision.value++)
  connectionStatus.value = { state: 'ready', connection: made }
  noteConfigSchema(wanted.url, made.configSchema)
  remember(made.server.title, wanted)
}

/**
 * Returns the open connection, for pages that are shown only with one.
 *
 * @throws {Error} If there is none.
 */
export function openConnection(): Connection {
  const open = connection.value
  if (!open) throw new Error('Cannot use the connection: it is not open')
  return open
}
