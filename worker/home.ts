/**
 * The first page: what this is, where to point a client, and the workspace's folders as links.
 *
 * It has no script, so there is nothing to allow: the policy forbids everything but its own style.
 *
 * @module
 */

import { SERVER_INFO } from './mcp/facts.ts'

export function home(request: Request): Response {
  const url = new URL('/mcp', request.url).href
  return new Response(page(url), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    },
  })
}

function page(mcp: string): string {
  const url = escaped(mcp)
  const config = escaped(
    JSON.stringify({ mcpServers: { edgewise: { type: 'http', url: mcp } } }, null, 2),
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Edgewise</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif }
  body { max-width: 42rem; margin: 4rem auto; padding: 0 1.25rem }
  h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 }
  h2 { font-size: 1rem; margin: 2rem 0 .25rem }
  p { margin: .25rem 0 }
  .muted { opacity: .75 }
  pre { padding: .75rem 1rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent);
        border-radius: .5rem; overflow-x: auto; font: .875rem/1.5 ui-monospace, monospace }
</style>
<main>
  <h1>Edgewise ${SERVER_INFO.version}</h1>
  <p class="muted">MCP files at the edge, with a person who can get a word in.</p>
  <h2>Point a client here</h2>
  <pre>${url}</pre>
  <h2>In a configuration file</h2>
  <pre>${config}</pre>
  <h2>Bring a folder in</h2>
  <pre>npm run import -- ./folder</pre>
  <h2>Look at the files</h2>
  <p><a href="/files/">As JSON</a>, or <a href="/export">all of them as a tar archive</a>.</p>
</main>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
