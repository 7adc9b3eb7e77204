/**
 * The two peers beside which work is measured, with their versions, and the checks that a file has the same content
 * everywhere.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { inProject } from '../scripts/settings.ts'
import { once } from './load.ts'
import type { Context } from './row.ts'
import { modern, toolCall } from './wire.ts'
import type { Server } from './workerd.ts'

const Manifest = z.object({ version: z.string() })
const Result = z.object({
  result: z.object({ content: z.tuple([z.object({ text: z.string() })]) }),
})

/** A peer's process. */
export interface PeerServer {
  /** The package and its version. */
  readonly title: string
  readonly server: Server
}

/** Starts the peers for a purpose, each behind the stock handler. */
export async function startPeers(context: Context, purpose: string) {
  const shell = await startPeer(context, 'shell', purpose)
  return { shell, computer: await startPeer(context, 'computer', purpose) }
}

/** Starts one of them. */
export async function startPeer(
  context: Context,
  name: 'shell' | 'computer',
  purpose: string,
): Promise<PeerServer> {
  const server = await context.baseline(name, `${name}-${purpose}`)
  return { title: `@cloudflare/${name} ${versionOf(name)}`, server }
}

function versionOf(name: string): string {
  const manifest = inProject(`node_modules/@cloudflare/${name}/package.json`)
  return Manifest.parse(JSON.parse(readFileSync(manifest, 'utf8'))).version
}

/**
 * Compares a file of the product with its content; `read_file` would number the lines.
 *
 * @throws When it has other content.
 */
export async function checkProduct(server: Server, path: string, content: string): Promise<void> {
  const found = await (await fetch(server.url(`/files${path}`))).text()
  if (found !== content) throw new Error(`${path} has other content: ${found.slice(0, 400)}`)
}

/**
 * Compares a file of a peer with its content.
 *
 * @throws When it has other content.
 */
export async function checkPeer(peer: PeerServer, path: string, content: string): Promise<void> {
  const { port } = peer.server
  const request = () => toolCall(modern, 'read_file', { path })
  const { body } = await once({ name: peer.title, port, request, marker: '"content"' })
  const found = Result.parse(JSON.parse(body.toString())).result.content[0].text
  if (found !== content)
    throw new Error(`${peer.title}: ${path} has other content: ${found.slice(0, 400)}`)
}
