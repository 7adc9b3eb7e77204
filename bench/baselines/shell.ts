/**
 * Baseline: `Workspace` of `@cloudflare/shell` in a Durable Object, behind the stock handler. Edits, names and
 * searches are those of its state backend, as its documentation shows them.
 *
 * @module
 */

import { createWorkspaceStateBackend, Workspace } from '@cloudflare/shell'
import { DurableObject } from 'cloudflare:workers'
import { countIfNamed, handlePeer, PAGE, serveObject, type Edit, type Peer } from './peer.ts'

interface Env {
  readonly BASELINE: DurableObjectNamespace<Baseline>
}

/** Holds the files. */
export class Baseline extends DurableObject<Env> implements Peer {
  readonly #counter = countIfNamed(this.ctx)
  readonly #files = new Workspace({ sql: this.ctx.storage.sql })
  readonly #state = createWorkspaceStateBackend(this.#files)

  override fetch(request: Request): Promise<Response> {
    return serveObject(request, this.#counter, (path, content) =>
      this.#files.writeFile(path, content),
    )
  }

  async read(path: string): Promise<string> {
    return this.#state.readFile(path)
  }

  async write(path: string, content: string): Promise<string> {
    await this.#files.writeFile(path, content)
    return `wrote ${path}`
  }

  async edit(path: string, edits: readonly Edit[]): Promise<string> {
    for (const { find, replace } of edits) {
      const { replaced } = await this.#state.replaceInFile(path, find, replace)
      if (replaced !== 1) throw new Error(`Found ${replaced} times in ${path}`)
    }
    return `edited ${path}`
  }

  async list(path: string): Promise<string> {
    const found = await this.#files.readDir(path, { limit: PAGE })
    return JSON.stringify(found.map(({ name, type, size }) => ({ name, type, size })))
  }

  async find(pattern: string, root: string): Promise<string> {
    const found = await this.#files.glob(`${root}/**/${pattern}`)
    return JSON.stringify(found.slice(0, PAGE).map(({ path }) => path))
  }

  async search(pattern: string): Promise<string> {
    const found = await this.#state.searchFiles('/**', pattern)
    const total = found.reduce((sum, { matches }) => sum + matches.length, 0)
    return JSON.stringify({ total, found: found.slice(0, PAGE) })
  }
}

/** The Worker of this baseline. */
export default {
  fetch(request, env, context) {
    const objectOf = (name: string) => env.BASELINE.get(env.BASELINE.idFromName(name))
    return handlePeer(request, objectOf, [env, context])
  },
} satisfies ExportedHandler<Env>
