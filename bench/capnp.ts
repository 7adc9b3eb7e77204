/**
 * Configuration of one raw workerd process: a Worker, its Durable Object, one loopback socket.
 *
 * Objects are stored on disk, as in production, and the Worker has no network access.
 *
 * @module
 */

import { dirname, relative } from 'node:path'
import { compatibilityDate, compatibilityFlags } from '../scripts/settings.ts'

/** A class of Durable Objects, and the binding of its namespace. */
export interface BoundClass {
  readonly className: string
  readonly binding: string
}

/** A Worker to run. */
export interface WorkerSpec {
  /** The bundled modules by name; the first is the entry. */
  readonly modules: Readonly<Record<string, string>>
  /** The class of the Durable Object. */
  readonly className: string
  /** The binding of the Durable Object namespace. */
  readonly binding: string
  /** Further Durable Objects. */
  readonly others?: readonly BoundClass[]
  /** The port of a site on this machine that has the static assets; without it there are none. */
  readonly assets?: number
  /** Flags of V8, such as a limit of the heap. */
  readonly v8Flags?: readonly string[]
}

/** Returns the text of a configuration file beside `folder`, which stores the objects. */
export function configText(spec: WorkerSpec, port: number, folder: string): string {
  // `embed` takes relative paths only.
  const modules = Object.entries(spec.modules).map(
    ([name, file]) =>
      `(name = ${quote(name)}, esModule = embed ${quote(relative(dirname(folder), file))})`,
  )
  const { services, bindings } = assetsOf(spec)
  const others = othersOf(spec)
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "disk", disk = (path = ${quote(folder)}, writable = true)),
    (name = "internet", network = (allow = [])),${services}
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
  v8Flags = [${(spec.v8Flags ?? []).map(quote).join(', ')}],
);

const main :Workerd.Worker = (
  modules = [${modules.join(', ')}],
  compatibilityDate = ${quote(compatibilityDate())},
  compatibilityFlags = [${compatibilityFlags().map(quote).join(', ')}],
  durableObjectNamespaces = [
    (className = ${quote(spec.className)}, uniqueKey = "bench", enableSql = true),${others.namespaces}
  ],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [
    (name = ${quote(spec.binding)}, durableObjectNamespace = ${quote(spec.className)}),${others.bindings}${bindings}
  ],
);
`
}

function othersOf({ others = [] }: WorkerSpec) {
  const namespaces = others.map(
    ({ className }) =>
      `\n    (className = ${quote(className)}, uniqueKey = ${quote(`bench-${className}`)}, enableSql = true),`,
  )
  const bindings = others.map(
    ({ className, binding }) =>
      `\n    (name = ${quote(binding)}, durableObjectNamespace = ${quote(className)}),`,
  )
  return { namespaces: namespaces.join(''), bindings: bindings.join('') }
}

function assetsOf({ assets }: WorkerSpec) {
  if (assets === undefined) return { services: '', bindings: '' }
  const address = quote(`127.0.0.1:${assets}`)
  return {
    services: `\n    (name = "assets", external = (address = ${address}, http = ())),`,
    bindings: '\n    (name = "ASSETS", service = "assets"),',
  }
}

// For the characters of a path, strings of Cap'n Proto and of JSON have the same escapes.
const quote = (text: string) => JSON.stringify(text)
