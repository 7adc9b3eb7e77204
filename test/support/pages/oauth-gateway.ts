/**
 * A gateway that forwards only authorized requests to the product: a small, strict authorization server
 * and resource server in one.
 *
 * @module
 */

import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface OAuthGateway {
  /** The URL of the MCP endpoint. */
  readonly url: string
  /** What happened, in order. */
  readonly log: string[]
  /** All tokens that were ever given. */
  readonly tokens: ReadonlySet<string>
  /** Whether authorization is denied. */
  refuse: boolean
  stop(): Promise<void>
}

interface Grant {
  readonly client: string
  readonly redirect: string
  readonly challenge: string
  readonly scope: string
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*, authorization',
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-expose-headers': 'mcp-session-id, www-authenticate',
}

export async function startOAuthGateway(product: string): Promise<OAuthGateway> {
  const log: string[] = []
  const codes = new Map<string, Grant>()
  const scopes = new Map<string, string>()
  const tokens = new Set<string>()
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.writeHead(500, CORS).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A server has a port')
  const origin = `http://127.0.0.1:${address.port}`

  const gateway: OAuthGateway = {
    url: `${origin}/mcp`,
    log,
    tokens,
    refuse: false,
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin)
    const body = await textOf(request)
    const json = (value: unknown, status = 200, headers = {}) =>
      response
        .writeHead(status, { ...CORS, ...headers, 'content-type': 'application/json' })
        .end(JSON.stringify(value))
    if (request.method === 'OPTIONS') return void response.writeHead(204, CORS).end()
    if (url.pathname === '/.well-known/oauth-protected-resource/mcp')
      return void json({ resource: gateway.url, authorization_servers: [origin] })
    if (url.pathname === '/.well-known/oauth-authorization-server') return void json(metadata())
    if (url.pathname === '/register') {
      log.push('register')
      return void json({ ...JSON.parse(body), client_id: randomUUID() }, 201)
    }
    if (url.pathname === '/authorize') return authorize(url.searchParams, response)
    if (url.pathname === '/token') return void json(...exchange(new URLSearchParams(body)))
    if (url.pathname === '/mcp') return serve(request, response, body)
    json({}, 404)
  }

  const metadata = () => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
  })

  /** Grants or denies authorization without asking. */
  function authorize(params: URLSearchParams, response: ServerResponse): void {
    const back = new URL(params.get('redirect_uri') ?? '')
    back.searchParams.set('state', params.get('state') ?? '')
    back.searchParams.set('iss', origin)
    if (gateway.refuse) back.searchParams.set('error', 'access_denied')
    else {
      const code = randomUUID()
      const scope = params.get('scope') ?? ''
      log.push(`authorize ${scope}`)
      codes.set(code, {
        client: params.get('client_id') ?? '',
        redirect: params.get('redirect_uri') ?? '',
        challenge: params.get('code_challenge') ?? '',
        scope,
      })
      back.searchParams.set('code', code)
    }
    response.writeHead(302, { location: back.href }).end()
  }

  function exchange(params: URLSearchParams): [unknown, number] {
    log.push(`token ${params.get('grant_type')}`)
    const code = params.get('code') ?? ''
    const grant = codes.get(code)
    codes.delete(code)
    const proof = createHash('sha256')
      .update(params.get('code_verifier') ?? '')
      .digest('base64url')
    const fits =
      grant?.challenge === proof &&
      grant.client === params.get('client_id') &&
      grant.redirect === params.get('redirect_uri') &&
      params.get('resource') === gateway.url
    if (!fits) return [{ error: 'invalid_grant' }, 400]
    const token = randomUUID()
    scopes.set(token, grant.scope)
    tokens.add(token)
    return [
      { access_token: token, token_type: 'Bearer', expires_in: 3600, scope: grant.scope },
      200,
    ]
  }

  async function serve(request: IncomingMessage, response: ServerResponse, body: string) {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const scope = scopes.get(token)?.split(' ') ?? []
    const where = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
    if (!scope.includes('read')) return refuse(401, `Bearer ${where}, scope="read"`)
    if (/"name":"write_file"/.test(body) && !scope.includes('write'))
      return refuse(403, `Bearer error="insufficient_scope", scope="write", ${where}`)

    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers))
      if (/^(accept|content-type|mcp-)/.test(name)) headers.set(name, String(value))
    const method = request.method ?? 'GET'
    const init = { method, headers, ...(body !== '' && { body }) }
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const answer = await fetch(`${product}/mcp`, { ...init, signal: gone.signal })
    response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...CORS })
    try {
      for await (const chunk of answer.body ?? []) response.write(chunk)
    } catch {
      // The client has disconnected.
    }
    response.end()

    function refuse(status: number, challenge: string): void {
      response.writeHead(status, { ...CORS, 'www-authenticate': challenge }).end()
    }
  }
  return gateway
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
