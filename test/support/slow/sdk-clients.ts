/**
 * The official clients under one interface: SDK 1.x, and 2.x in each of its modes.
 *
 * A client with a session gets changes through a stream that it opens by itself, without a signal. So
 * `watch` waits until that stream is open, and every later write has to be
 * notified.
 *
 * @module
 */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type {
  ClientCapabilities,
  Implementation,
  VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'

type Arguments = Record<string, unknown>

export interface Peer {
  /** The revision that was agreed on. */
  readonly version: string | undefined
  readonly session: string | undefined
  /** URIs of updates, in the order in which they came. */
  readonly heard: readonly string[]
  tools(): Promise<string[]>
  /** The structured content of the answer. */
  call(name: string, args: Arguments): Promise<unknown>
  resources(): Promise<string[]>
  watch(uri: string): Promise<void>
  unwatch(uri: string): Promise<void>
  /** Ends the stream of the session, as a proxy does. */
  lose(): void
  /** Ends the session, if there is one. */
  terminate(): Promise<void>
  close(): Promise<void>
}

/** What a client says of itself. */
export interface Self {
  readonly info: Implementation
  readonly capabilities: ClientCapabilities
}

const BRIEF: Self = { info: { name: 'interop', version: '1' }, capabilities: {} }

export async function openV1(url: string): Promise<Peer> {
  const client = new ClientV1(BRIEF.info)
  const heard: string[] = []
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    heard.push(params.uri)
  })
  const { fetch, streaming, lose } = observed()
  const transport = new TransportV1(new URL(url), { fetch })
  await client.connect(transport)
  return {
    version: transport.protocolVersion,
    session: transport.sessionId,
    heard,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) =>
      (await client.callTool({ name, arguments: args })).structuredContent,
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    watch: async (uri) => {
      await streaming
      await client.subscribeResource({ uri })
    },
    unwatch: async (uri) => void (await client.unsubscribeResource({ uri })),
    lose,
    terminate: () => transport.terminateSession(),
    close: () => client.close(),
  }
}

export async function openV2(
  url: string,
  mode: VersionNegotiationMode,
  { info, capabilities }: Self = BRIEF,
): Promise<Peer> {
  const client = new Client(info, { capabilities, versionNegotiation: { mode } })
  const heard: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.push(params.uri)
  })
  const { fetch, streaming, lose } = observed()
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch })
  await client.connect(transport)
  return {
    version: client.getNegotiatedProtocolVersion(),
    session: transport.sessionId,
    heard,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) =>
      (await client.callTool({ name, arguments: args })).structuredContent,
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    ...(client.getProtocolEra() === 'modern' ? listening(client) : subscribing(client, streaming)),
    lose,
    terminate: () => transport.terminateSession(),
    close: () => client.close(),
  }
}

type Watching = Pick<Peer, 'watch' | 'unwatch'>

function subscribing(client: Client, streaming: Promise<void>): Watching {
  return {
    watch: async (uri) => {
      await streaming
      await client.subscribeResource({ uri })
    },
    unwatch: async (uri) => void (await client.unsubscribeResource({ uri })),
  }
}

function listening(client: Client): Watching {
  const open = new Map<string, Awaited<ReturnType<Client['listen']>>>()
  return {
    watch: async (uri) => void open.set(uri, await client.listen({ resourceSubscriptions: [uri] })),
    unwatch: async (uri) => open.get(uri)?.close(),
  }
}

/** `fetch`, the moment at which a GET has opened an event stream with it, and a function that ends this stream. */
function observed() {
  const { promise: streaming, resolve } = Promise.withResolvers<void>()
  let lose = () => {}
  const observing = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init)
    if (init?.method !== 'GET' || !response.ok || !response.body) return response
    resolve()
    const body = new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => void (lose = () => controller.terminate()),
    })
    return new Response(response.body.pipeThrough(body), response)
  }
  return { fetch: observing, streaming, lose: () => lose() }
}
