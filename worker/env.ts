/** The environment of the Worker: bindings and variables of `wrangler.toml`. @module */

import type { FieldVariable } from '#core/config/text.ts'

/** One variable for each configuration field. */
type FieldVariables = { readonly [Name in FieldVariable]?: string }

/** Bindings and variables of one deployment. */
export interface Env extends FieldVariables {
  /** One Durable Object for each workspace. */
  readonly WORKSPACE: DurableObjectNamespace
  /** The Durable Object that notifies the owner. Without it, nothing does but the webhook. */
  readonly NOTIFIER?: DurableObjectNamespace
  /** Without a bucket, large files are kept as chunks in SQLite. */
  readonly FILES?: R2Bucket
  /** Static files built for browsers, from `dist/assets`. */
  readonly ASSETS: Fetcher
  /** Host names beside localhost under which this Worker answers, separated by commas. */
  readonly EDGEWISE_HOSTS?: string
  /** JSON that overrides the default configuration in every workspace. */
  readonly EDGEWISE_CONFIG?: string
  /** JSON with fields that restrict every workspace, whatever it stores: the flags of `npm start`. */
  readonly EDGEWISE_FLAGS?: string
  /** JSON with the most that the console may set as a host of apps. */
  readonly EDGEWISE_APP_HOST?: string
  /** The https URL that receives a notice when something waits for the owner; http on localhost only. */
  readonly EDGEWISE_WEBHOOK?: string
  /** The Standard Webhooks secret that signs the notices: `whsec_` and base64. */
  readonly EDGEWISE_WEBHOOK_SECRET?: string
  /** Globs of paths, separated by commas: the webhook is notified when one of their files changes. */
  readonly EDGEWISE_WEBHOOK_PATHS?: string
  /** A chat that is notified as well: `slack`, `teams`, `discord` or `plain`, a space, and the https URL of its webhook. */
  readonly EDGEWISE_CHAT?: string
  /** The address that gets notices by e-mail, a space, and the address from which they come. */
  readonly EDGEWISE_EMAIL?: string
  /** Sends e-mail; required for `EDGEWISE_EMAIL`. */
  readonly EMAIL?: SendEmail
  /** The owner's secret. When it is set, every user must sign in. */
  readonly EDGEWISE_OWNER_SECRET?: string
  /** Cloudflare Access in front: the team's domain, a space, the application's audience. */
  readonly EDGEWISE_ACCESS?: string
  /** OAuth clients, grants and tokens; required when an owner is set. */
  readonly OAUTH_KV?: KVNamespace
  /**
   * Reports how many bytes may still be written, when all data is kept on one disk: that of a machine that is not
   * Cloudflare's.
   */
  readonly DISK?: Fetcher
  /** Reads documents in another isolate or process (`docs/documents.md`). Without it, they are read in that of the workspace. */
  readonly EXTRACTOR?: Fetcher
  /** Workers AI, which reads PDFs: their bytes are sent to it. Bind it as `MARKDOWN` for that alone. */
  readonly MARKDOWN?: Ai
  /** `json` writes a line for each request and each call to the log. */
  readonly EDGEWISE_LOG?: string
  /** When bound, a data point is written for each request and each call. */
  readonly EDGEWISE_METRICS?: AnalyticsEngineDataset
  /** The second origin under which this Worker answers, where apps run. */
  readonly SANDBOX_ORIGIN?: string
  /** `1` if every name below that origin's host reaches this Worker, so that apps can have origins there. */
  readonly SANDBOX_SUBDOMAINS?: string
  /** Web origins beside its own that may call it, separated by commas. */
  readonly EDGEWISE_ORIGINS?: string
  /** Schemes without a dot to which codes of OAuth may be sent, separated by commas. */
  readonly EDGEWISE_REDIRECT_SCHEMES?: string
}

/** Whether an owner is configured, so that every user must sign in. An empty secret does not count. */
export function hasOwner({ EDGEWISE_OWNER_SECRET, EDGEWISE_ACCESS }: Env): boolean {
  return Boolean(EDGEWISE_OWNER_SECRET) || Boolean(EDGEWISE_ACCESS)
}

/** Splits a list of names that the operator has set, separated by commas. */
export function splitNames(names: string | undefined): string[] {
  return (names ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
