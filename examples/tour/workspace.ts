/** A folder of a workspace, reached through MCP and plain HTTP. @module */

import type { Client } from '@modelcontextprotocol/client'
import assert from 'node:assert/strict'
import { readTar, type Tree } from './tree.ts'

/** A folder of a workspace, with a client that is connected to it. */
export class Workspace {
  readonly client: Client
  readonly folder: string
  readonly #base: string

  /** `mcp` is the URL of the MCP endpoint; the routes for files and archives have the same base. */
  constructor(client: Client, mcp: string, folder: string) {
    this.client = client
    this.folder = folder
    this.#base = mcp.replace(/\/mcp$/, '')
  }

  /** Returns the path of a file in the folder. */
  path(name: string): string {
    return `${this.folder.replace(/\/$/, '')}/${name}`
  }

  /** Returns the path of a file in the folder, encoded for a URL. */
  encodedPath(name: string): string {
    return this.path(name).split('/').map(encodeURIComponent).join('/')
  }

  /** Calls a tool that must succeed; returns its structured content. */
  async call(name: string, args: object): Promise<Record<string, unknown>> {
    const request = { name, arguments: { ...args } }
    const { isError, content, structuredContent } = await this.client.callTool(request)
    assert(!isError && structuredContent, `${name}: ${JSON.stringify(content)}`)
    return { ...structuredContent }
  }

  /** Exports everything in the folder. */
  async export(): Promise<Tree> {
    const response = await fetch(`${this.#base}/export?from=${encodeURIComponent(this.folder)}`)
    assert.equal(response.status, 200, await (response.ok ? '' : response.text()))
    return readTar(Buffer.from(await response.arrayBuffer()))
  }

  /** Writes a file over plain HTTP. */
  async upload(name: string, bytes: Buffer): Promise<void> {
    const url = `${this.#base}/files${this.encodedPath(name)}`
    const { ok, status } = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })
    assert(ok, `PUT ${url}: ${status}`)
  }
}
