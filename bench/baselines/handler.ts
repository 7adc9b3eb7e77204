/**
 * Baseline: a file server as the documentation of `agents` builds one, with `createMcpHandler`, an
 * `McpServer` with ten zod tools, and one RPC to a Durable Object per call. The object returns a
 * constant, so the cost of real work is not included. `PUT` sets the constant.
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

/** Stores and returns the constant. */
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

/** The Worker of this baseline. */
export default {
  fetch(request, env, context) {
    const object = env.BASELINE.get(env.BASELINE.idFromName('handler'))
    if (request.method === 'PUT') return object.fetch(request)
    return createMcpHandler(() => createServer(object))(request, env, context)
  },
} satisfies ExportedHandler<Env>
