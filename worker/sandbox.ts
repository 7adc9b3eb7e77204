/**
 * The page of another origin in which apps run, with the rules of the app that is to run there.
 *
 * @module
 */

import type { Env } from './env.ts'

export async function serveSandbox(request: Request, env: Env): Promise<Response> {
  const page = await env.ASSETS.fetch(new URL('/sandbox.html', request.url))
  return new Response(page.body, { headers: { 'content-type': 'text/html; charset=utf-8' } })
}
