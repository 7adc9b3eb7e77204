/** The bindings that tests see through `cloudflare:workers`. */
declare namespace Cloudflare {
  interface Env {
    readonly WORKSPACE: DurableObjectNamespace<import('#worker/workspace.ts').Workspace>
    readonly NOTIFIER: DurableObjectNamespace<import('#worker/notifier-object.ts').Notifier>
    readonly FILES: R2Bucket
    readonly ASSETS: Fetcher
  }
}
