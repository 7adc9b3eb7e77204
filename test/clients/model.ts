/**
 * A model that follows a script, on loopback, in the APIs that clients speak to.
 *
 * It is armed with one call, makes it as soon as it has tools, and keeps the result that the client
 * passes to it. It responds to every other request with one word.
 *
 * @module
 */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { DIALECTS, type Dialect, type Reply } from './model-apis.ts'
import { threw, type ModelInput } from './model-input.ts'
import type { Call } from './script.ts'

export interface Model {
  readonly url: string
  /** Names of the tools that it was given last. */
  readonly tools: readonly string[]
  /** Lets it make a call while `run` runs, and returns the result that it received. */
  ask(call: Call, run: () => Promise<unknown>): Promise<ModelInput>
  close(): void
}

interface State {
  tools: readonly string[]
  armed: { readonly call: Call; readonly id: string } | undefined
  asked: boolean
  handed: ModelInput | undefined
}

export async function startModel(): Promise<Model> {
  const state: State = { tools: [], armed: undefined, asked: false, handed: undefined }
  const server = createServer((request, response) => void serve(state, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    get tools() {
      return state.tools
    },
    ask: (call, run) => ask(state, call, run),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function ask(state: State, call: Call, run: () => Promise<unknown>): Promise<ModelInput> {
  const id = `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`
  Object.assign(state, { armed: { call, id }, asked: false, handed: undefined })
  const failure = await run().then(
    () => undefined,
    (error: unknown) => threw(error),
  )
  const silent = state.asked ? 'the model was not called again' : 'the model was not called'
  return state.handed ?? failure ?? threw(silent)
}

async function serve(state: State, request: IncomingMessage, response: ServerResponse) {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const body = request.method === 'POST' ? await json(request).catch(() => ({})) : {}
  if (process.env['MODEL_DEBUG'])
    console.error(request.method, request.url, JSON.stringify(body).slice(-1500))
  const dialect = DIALECTS.find(({ path }) => path.test(pathname))
  if (!dialect)
    return void response.writeHead(200, JSON_HEADERS).end('{"data":[],"input_tokens":1}')
  const reply = decide(state, dialect, body)
  const streams = dialect.streams(body, pathname)
  if (!streams) return void response.writeHead(200, JSON_HEADERS).end(dialect.whole(reply))
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(dialect.stream(reply))
}

const JSON_HEADERS = { 'content-type': 'application/json' }

function decide(state: State, dialect: Dialect, body: unknown): Reply {
  if (!state.armed) return DONE
  const { call, id } = state.armed
  const handed = dialect.handed(body, id)
  if (handed) state.handed = handed
  const names = dialect.tools(body)
  if (names.length > 0) state.tools = names.map(bare)
  if (handed || state.asked || names.length === 0) return DONE
  state.asked = true
  // A host may have a tool of its own by that name, which has nothing before it.
  const fitting = names.filter((one) => bare(one) === call.name)
  const name = fitting.find((one) => one !== call.name) ?? call.name
  return { id, name, args: call.args }
}

const DONE: Reply = 'done'

const PREFIXES = /^(mcp__?|tool_)?edgewise(__|_|-|\.)? ?/

/** A name as the server has it; hosts put the server's name before it. */
const bare = (name: string) => name.replace(PREFIXES, '')
