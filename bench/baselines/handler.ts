/**
 * A file server as the documentation of `agents` builds one: `createMcpHandler`, an `McpServer` with
 * ten zod tools, and a Durable Object that each call asks by RPC. The object answers a constant, so
 * whatever a real one would do comes on top. `PUT` says which constant.
 *
 * @module
 */

import { McpServer } from '@modelcontextprotocol/server'
import { createMcpHandler } from 'agents/mcp/server'
import { DurableObject } from 'cloudflare:workers'
import { TOOLS } from './tools.ts'

interface Env {
  readonly BASELINE: DurableObjectNamespace<Baseline>
}

export class Baseline extends DurableObject<Env> {
  #answer = ''

  override async fetch(request: Request): Promise<Response> {
    this.#answer = await request.text()
    return new Response('kept')
  }

  answer(): string {
    return this.#answer
  }
}

function createServer(object: DurableObjectStub<Baseline>): McpServer {
  const server = new McpServer({ name: 'baseline', version: '1.0.0' })
  for (const { name, ...facts } of TOOLS) {
    server.registerTool(name, facts, async () => {
      const text = await object.answer()
      return { content: [{ type: 'text', text }] }
    })
  }
  return server
}

export default {
  fetch(request, env, context) {
    const object = env.BASELINE.get(env.BASELINE.idFromName('handler'))
    if (request.method === 'PUT') return object.fetch(request)
    return createMcpHandler(() => createServer(object))(request, env, context)
  },
} satisfies ExportedHandler<Env>
