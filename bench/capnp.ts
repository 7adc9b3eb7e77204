/**
 * The configuration of one raw workerd: a Worker, its Durable Object, one loopback socket.
 *
 * Objects live on disk, as they do in production, and the Worker may not reach any network.
 *
 * @module
 */

import { dirname, relative } from 'node:path'
import { compatibilityDate } from '../scripts/settings.ts'

export interface WorkerSpec {
  /** The bundled modules by name; the first is where it starts. */
  readonly modules: Readonly<Record<string, string>>
  /** The class of the Durable Object. */
  readonly className: string
  /** The binding that the Worker finds it under. */
  readonly binding: string
  /** Flags of V8, such as a limit of the heap. */
  readonly v8Flags?: readonly string[]
}

/** The text of a configuration that is to lie beside `folder`, where the objects are kept. */
export function configText(spec: WorkerSpec, port: number, folder: string): string {
  // An absolute path is not one to `embed`.
  const modules = Object.entries(spec.modules).map(
    ([name, file]) =>
      `(name = ${quote(name)}, esModule = embed ${quote(relative(dirname(folder), file))})`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "disk", disk = (path = ${quote(folder)}, writable = true)),
    (name = "internet", network = (allow = [])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
  v8Flags = [${(spec.v8Flags ?? []).map(quote).join(', ')}],
);

const main :Workerd.Worker = (
  modules = [${modules.join(', ')}],
  compatibilityDate = ${quote(compatibilityDate())},
  durableObjectNamespaces = [
    (className = ${quote(spec.className)}, uniqueKey = "bench", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [(name = ${quote(spec.binding)}, durableObjectNamespace = ${quote(spec.className)})],
);
`
}

// Strings of Cap'n Proto and of JSON have the same escapes for what a path can hold.
const quote = (text: string) => JSON.stringify(text)
