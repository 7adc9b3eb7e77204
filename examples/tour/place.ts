/** Where a tour takes place: a client, and a folder of the workspace that it is connected to. @module */

import type { Client } from '@modelcontextprotocol/client'
import assert from 'node:assert/strict'
import { readTar, type Tree } from './tree.ts'

export class Place {
  readonly client: Client
  readonly folder: string
  readonly #base: string

  /** `mcp` is the address of the MCP endpoint; files and archives lie beside it. */
  constructor(client: Client, mcp: string, folder: string) {
    this.client = client
    this.folder = folder
    this.#base = mcp.replace(/\/mcp$/, '')
  }

  path(name: string): string {
    return `${this.folder.replace(/\/$/, '')}/${name}`
  }

  encodedPath(name: string): string {
    return this.path(name).split('/').map(encodeURIComponent).join('/')
  }

  /** Calls a tool that must succeed; answers its structured content. */
  async call(name: string, args: object): Promise<Record<string, unknown>> {
    const request = { name, arguments: { ...args } }
    const { isError, content, structuredContent } = await this.client.callTool(request)
    assert(!isError && structuredContent, `${name}: ${JSON.stringify(content)}`)
    return { ...structuredContent }
  }

  /** Everything in the folder as it is now. */
  async exported(): Promise<Tree> {
    const response = await fetch(`${this.#base}/export?from=${encodeURIComponent(this.folder)}`)
    assert.equal(response.status, 200, await (response.ok ? '' : response.text()))
    return readTar(Buffer.from(await response.arrayBuffer()))
  }

  async upload(name: string, bytes: Buffer): Promise<void> {
    const url = `${this.#base}/files${this.encodedPath(name)}`
    const { ok, status } = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })
    assert(ok, `PUT ${url}: ${status}`)
  }
}
