/**
 * What the Worker is given: bindings and variables of `wrangler.toml`.
 *
 * @module
 */

export interface Env {
  readonly WORKSPACE: DurableObjectNamespace
  /** Without a bucket, large files are kept as chunks in SQLite. */
  readonly FILES?: R2Bucket
  /** What was built for browsers: `dist/assets`. */
  readonly ASSETS: Fetcher
  /** Host names beside localhost under which this Worker answers, separated by commas. */
  readonly EDGEWISE_HOSTS?: string
  /** JSON that is laid over the default configuration of every workspace. */
  readonly EDGEWISE_CONFIG?: string
  /** The owner's secret. Where there is one, everybody has to sign in. */
  readonly EDGEWISE_OWNER_SECRET?: string
  /** Cloudflare Access in front: the team's domain, a space, the application's audience. */
  readonly EDGEWISE_ACCESS?: string
  /** Clients, grants and tokens of OAuth; needed where there is an owner. */
  readonly OAUTH_KV?: KVNamespace
  /** Answers how many bytes may still be written, where everything is kept on one disk. */
  readonly DISK?: Fetcher
  /** `json` writes a line for each request and each call to the log. */
  readonly EDGEWISE_LOG?: string
  /** Where there is one, a data point is written for each request and each call. */
  readonly EDGEWISE_METRICS?: AnalyticsEngineDataset
  /** The second origin under which this Worker answers, where apps run. */
  readonly SANDBOX_ORIGIN?: string
  /** Web origins beside its own that may call it, separated by commas. */
  readonly EDGEWISE_ORIGINS?: string
}
