/** Cloudflare's agent that is a client of an MCP server; it runs in workerd. @module */

import { createAnthropic } from '@ai-sdk/anthropic'
import { Agent, getAgentByName } from 'agents'
import { generateText, stepCountIs } from 'ai'

interface Env {
  readonly JUDGE: DurableObjectNamespace<Judge>
  readonly MODEL: string
  readonly MCP: string
}

export class Judge extends Agent<Env> {
  override async onRequest(request: Request): Promise<Response> {
    await this.mcp.waitForConnections()
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/connect')
      return Response.json(await this.addMcpServer('edgewise', this.env.MCP, { id: 'edgewise' }))
    if (pathname === '/resources') return Response.json(this.mcp.listResources())
    if (pathname === '/resource') {
      const serverId = searchParams.get('serverId') ?? ''
      const uri = searchParams.get('uri') ?? ''
      return Response.json(await this.mcp.readResource({ serverId, uri }, {}))
    }
    return Response.json(await this.think(await request.text()))
  }

  async think(prompt: string): Promise<string> {
    const provider = createAnthropic({ baseURL: `${this.env.MODEL}/v1`, apiKey: 'none' })
    const { text } = await generateText({
      model: provider('claude-sonnet-4-5'),
      tools: this.mcp.getAITools(),
      prompt,
      stopWhen: stepCountIs(4),
      maxRetries: 0,
    })
    return text
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const agent = await getAgentByName(env.JUDGE, 'judge')
    return agent.fetch(request)
  },
}
