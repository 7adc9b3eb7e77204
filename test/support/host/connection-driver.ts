/**
 * The driver of `test/pages/host/connection.slow.test.ts` in its page: each function uses a connection and
 * returns plain JSON.
 *
 * @module
 */

import { connect } from '#host/mcp/connect.ts'
import { callFactsOf, changeOf, factsOf } from '#host/mcp/tool-facts.ts'
import { finishSignIn, isSignedIn, signInTo, signOut } from '#host/mcp/oauth.ts'
import { problemOf } from '#host/mcp/errors.ts'
import { sendArchive } from '#host/console/files/send-archive.ts'
import { sendAct } from '#host/console/owner/send-act.ts'
import { AnswerError } from '#host/console/ui/errors.ts'
import { callWithConsent } from '#host/consent/call-with-consent.ts'
import { createDecisions } from '#host/consent/stored-decisions.ts'
import type { Connection, ConnectOptions } from '#host/mcp/connection.ts'
import { MessageLog } from '#host/records/message-log.ts'

const open: Connection[] = []

/** A call of a tool that asks the user, and the answer. */
interface Elicited {
  readonly options: ConnectOptions
  readonly name: string
  readonly args?: Record<string, unknown>
  readonly content?: Record<string, unknown>
}

const PERSON = { name: 'Ada', check: true, age: 36, list: ['a'] }

async function start(options: ConnectOptions): Promise<Connection> {
  // A browser has six connections to a host, and each of these holds one for its stream.
  while (open.length > 0) await open.pop()?.close()
  const connection = await connect(options)
  open.push(connection)
  return connection
}

const only = () => {
  const connection = open.at(-1)
  if (!connection) throw new Error('Nothing is connected')
  return connection
}

const waitFor = async <T>(look: () => T | undefined | null | false, what: string): Promise<T> => {
  for (let tries = 0; tries < 600; tries++) {
    const found = look()
    if (found) return found
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`${what} did not come`)
}

/** What came of a request, as plain JSON. */
const outcomeOf = (answer: Promise<unknown>) =>
  answer.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => {
      if (!(error instanceof AnswerError)) throw error
      const { code, status, fields } = error
      return { ok: false, error: { code, status, fields } }
    },
  )

const visits = {
  /** The server information of a connection. */
  async about(options: ConnectOptions) {
    const connection = await start(options)
    const { era, protocolVersion, session, server, instructions, supportsPolicy } = connection
    return {
      era,
      protocolVersion,
      hasSession: session !== null,
      server,
      instructions,
      supportsPolicy,
      configTitle: connection.configSchema?.['title'] ?? null,
      tools: connection.tools.map((tool) => {
        const { hint, preview, scopes, group, intentTemplate } = factsOf(tool)
        const { intentTemplate: kept } = tool.annotations
        return { name: tool.name, hint, preview, scopes, group, intentTemplate, kept }
      }),
    }
  },

  async problem(options: ConnectOptions) {
    try {
      await start(options)
    } catch (error) {
      return problemOf(error)
    }
    throw new Error('It connected')
  },

  async call({ name, args, meta }: { name: string; args: object; meta?: object }) {
    const result = await only().call(name, { ...args }, meta ? { meta: { ...meta } } : {})
    const { content, structuredContent, isError } = result
    return { content, structuredContent, isError, change: changeOf(result), meta: result.meta }
  },

  /** The progress notifications of a call. */
  async progress({ name, args }: { name: string; args: object }) {
    const heard: number[] = []
    await only().call(name, { ...args }, { onProgress: ({ progress }) => heard.push(progress) })
    return heard
  },

  async cancelled({ name, args }: { name: string; args: object }) {
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 300)
    const call = only().call(name, { ...args }, { signal: stop.signal })
    return call.then(
      () => 'answered',
      (error: unknown) => problemOf(error).kind,
    )
  },

  async refused({ name, args, meta }: { name: string; args: object; meta: object }) {
    const call = only().call(name, { ...args }, { meta: { ...meta } })
    return call.then(
      () => 'answered',
      (error: unknown) => problemOf(error),
    )
  },

  async late({ name, args, timeoutMs }: { name: string; args: object; timeoutMs: number }) {
    const call = only().call(name, { ...args }, { timeoutMs })
    return call.then(
      () => 'answered',
      (error: unknown) => problemOf(error).kind,
    )
  },

  async lists() {
    const connection = only()
    const { items, next } = await connection.resources()
    const templates = await connection.resourceTemplates()
    return { uris: items.map(({ uri }) => uri), next, templates: templates.items.length }
  },

  async read(uri: string) {
    return only().readResource(uri)
  },

  async promptNames() {
    const { items } = await only().prompts()
    return items.map(({ name }) => name)
  },

  /** Subscribes to a resource, calls a tool, and waits for the update. */
  async watch({ uri, tool, args }: { uri: string; tool: string; args: object }) {
    const connection = only()
    const heard: string[] = []
    const off = connection.on('updated', (update) => heard.push(update.uri))
    const stop = await connection.subscribe(uri)
    // The stream may be opened after the subscription, and does not tell of what came before.
    const isHeard = () => heard.includes(uri)
    for (let tries = 0; tries < 30 && !isHeard(); tries++) {
      // The same content again is no change.
      if (tries > 0) await connection.call(tool, { ...args, content: `${tries}\n` })
      await connection.call(tool, { ...args })
      for (let wait = 0; wait < 10 && !isHeard(); wait++)
        await new Promise((done) => setTimeout(done, 100))
    }
    await stop()
    off()
    return heard
  },

  /** Waits until the connection has noticed that it is broken. */
  async untilBroken() {
    await waitFor(() => only().state.name === 'reconnecting', 'the break')
  },

  /** Waits until the connection has broken and reconnected. */
  async comeBack() {
    const connection = only()
    const names: string[] = [connection.state.name]
    connection.on('state', ({ name }) => names.push(name))
    const isBack = () => names.at(-1) === 'open' && names.includes('reconnecting')
    await waitFor(isBack, 'the way back').catch((error: unknown) => {
      throw new Error(`It went ${names.join(', ')}: ${JSON.stringify(connection.state)}`, {
        cause: error,
      })
    })
    return names
  },

  state: () => only().state,

  async tools() {
    return (await only().refreshTools()).length
  },

  /** Makes a call with consent; the answers of the user are given. */
  async consent({
    name,
    args,
    answers,
  }: {
    name: string
    args: object
    answers: (boolean | string[] | null)[]
  }) {
    const connection = only()
    const tool = connection.tools.find((one) => one.name === name)
    if (!tool) throw new Error(`There is no ${name}`)
    const asked: unknown[] = []
    const outcome = await callWithConsent(
      { tool: name, args: { ...args }, meta: {} },
      callFactsOf(tool, args),
      {
        server: connection.url,
        decisions: createDecisions({ storage: null }),
        send: (call) => connection.call(call.tool, call.args, { meta: call.meta }),
        ask: {
          async approve({ intent, level, previewId, preview, stale }) {
            const diff = preview && changeOf(preview)?.diff
            asked.push({ intent: intent.text, level, bound: previewId !== null, diff, stale })
            return answers.shift() === true
          },
          async grant({ scopes, options }) {
            asked.push({ scopes, options: options.map(({ scope }) => scope) })
            const answer = answers.shift()
            const chosen = Array.isArray(answer) ? answer : null
            return { allow: Array.isArray(answer), scopes: chosen, duration: 'call' }
          },
          notify: ({ intent }) => void asked.push({ notified: intent.text }),
        },
      },
    )
    const result = 'result' in outcome ? outcome.result : null
    return { status: outcome.status, text: result?.content[0]?.['text'], asked }
  },

  /** The message log of a short connection. */
  async log(options: ConnectOptions) {
    const log = new MessageLog()
    const connection = await connect({ ...options, onTraffic: log.add })
    await connection.call('list_roots', {})
    await connection.close()
    return log.entries().map(({ direction, kind, method, duration }) => ({
      direction,
      kind,
      method,
      timed: duration !== null,
    }))
  },

  /** Acts of the owner, and an import. */
  async workspace() {
    const body = { label: 'for a test', scopes: ['read:file:/docs'] }
    const before = await outcomeOf(sendAct('', 'read_status', {}))
    const config = await outcomeOf(sendAct('', 'configure', { body: { approval: 'notify' } }))
    const refused = await outcomeOf(sendAct('', 'configure', { body: { find_limit: -1 } }))
    const link = await sendAct('', 'make_link', { body })
    const sessions = await outcomeOf(sendAct('', 'list_sessions', {}))
    const segments = { session: link.id }
    const revoked = await outcomeOf(sendAct('', 'end_session', { segments }))
    const again = await outcomeOf(sendAct('', 'end_session', { segments }))
    const archive = await (await fetch('/export?from=%2F')).blob()
    const sent: number[] = []
    const options = {
      signal: new AbortController().signal,
      onProgress: (bytes: number) => void sent.push(bytes),
    }
    const imported = await outcomeOf(sendArchive('', archive, { ...options, to: '/copy' }))
    const broken = await outcomeOf(
      sendArchive('', new Blob(['this is no tar']), { ...options, to: '/' }),
    )
    await sendAct('', 'configure', { body: { approval: 'none' } })
    return { before, config, refused, link, sessions, revoked, again, imported, sent, broken }
  },

  async elicited({ options, name, args = {}, content = PERSON }: Elicited) {
    const asked: unknown[] = []
    const connection = await start({
      ...options,
      async onElicitation({ mode, message, schema }) {
        asked.push({ mode, message, fields: Object.keys(Object(schema?.['properties'])) })
        return { action: 'accept', content }
      },
    })
    const result = await connection.call(name, args)
    return { asked, text: result.content.map((block) => block['text']) }
  },

  /** Connects with a sign-in, and returns the number of tools. */
  async signIn({ url, mode }: { url: string; mode: 'popup' | 'redirect' }) {
    const connection = await start({ url, auth: signInTo(url, { mode }) })
    return connection.tools.length
  },

  /** Completes a sign-in, as a page does when it starts. */
  landed: () => finishSignIn(),

  signedIn: (url: string) => isSignedIn(url),

  signOut(url: string) {
    signOut(url)
    return isSignedIn(url)
  },

  /** Everything in `localStorage`, which outlives the tab. */
  kept: () => JSON.stringify(Object.entries(localStorage)),

  async close() {
    const names: string[] = []
    const connection = only()
    connection.on('closed', () => names.push('closed'))
    await connection.close()
    const after = await connection
      .call('list_roots', {})
      .catch((error: unknown) => problemOf(error))
    return { names, after: 'kind' in after ? after.kind : 'answered' }
  },
}

Object.assign(globalThis, { visits })
