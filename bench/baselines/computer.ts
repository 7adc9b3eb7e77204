/**
 * Baseline: `Workspace` of `@cloudflare/computer` in a Durable Object, behind the stock handler, without a backend
 * that runs commands.
 *
 * @module
 */

import { Workspace } from '@cloudflare/computer'
import { DurableObject } from 'cloudflare:workers'
import {
  countIfNamed,
  handlePeer,
  PAGE,
  serveObject,
  type ByteRange,
  type Edit,
  type Peer,
} from './peer.ts'

interface Env {
  readonly BASELINE: DurableObjectNamespace<Baseline>
}

/** Holds the files. */
export class Baseline extends DurableObject<Env> implements Peer {
  readonly #counter = countIfNamed(this.ctx)
  readonly #files = new Workspace({ storage: this.ctx.storage })

  override fetch(request: Request): Promise<Response> {
    return serveObject(request, this.#counter, (path, content) => this.write(path, content))
  }

  async read(path: string, range?: ByteRange): Promise<string> {
    if (!range) return this.#files.fs.readFile(path, 'utf8')
    const { offset, length } = range
    return this.#files.fs.readFile(path, {
      encoding: 'utf8',
      byteOffset: offset,
      byteLength: length,
    })
  }

  async write(path: string, content: string): Promise<string> {
    // As the peer's own tools do before each write.
    await this.#files.fs.mkdir(path.slice(0, path.lastIndexOf('/')) || '/', { recursive: true })
    await this.#files.fs.writeFile(path, content)
    return `wrote ${path}`
  }

  async edit(path: string, edits: readonly Edit[]): Promise<string> {
    let text = await this.read(path)
    for (const { find, replace } of edits) {
      const parts = text.split(find)
      if (parts.length !== 2) throw new Error(`Found ${parts.length - 1} times in ${path}`)
      text = parts.join(replace)
    }
    await this.#files.fs.writeFile(path, text)
    return `edited ${path}`
  }

  async list(path: string): Promise<string> {
    const found = await this.#files.fs.readdir(path, { limit: PAGE })
    return JSON.stringify(found.map(({ name, isFile, size }) => ({ name, isFile, size })))
  }

  async find(pattern: string, root: string): Promise<string> {
    const found = await this.#files.fs.find(root, `**/${pattern}`, { limit: PAGE })
    return JSON.stringify(found.map(({ path }) => path))
  }

  async search(pattern: string): Promise<string> {
    const found = await this.#files.fs.grep(pattern, '/')
    return JSON.stringify({ total: found.length, found: found.slice(0, PAGE) })
  }
}

/** The Worker of this baseline. */
export default {
  fetch(request, env, context) {
    const objectOf = (name: string) => env.BASELINE.get(env.BASELINE.idFromName(name))
    return handlePeer(request, objectOf, [env, context])
  },
} satisfies ExportedHandler<Env>
