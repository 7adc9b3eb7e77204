/**
 * The `_meta` of an app's requests, without what belongs to the page. All requests of an app pass here
 * (`requests.ts`), so that no route to the server is left out.
 *
 * `test/host/view/view.test.ts` sends each of these members by each route.
 *
 * @module
 */

import { isRecord, type JsonRecord } from '#core/json.ts'
import { MCP_META } from '#core/wire.ts'

/**
 * Members that an app may not set. The user gives grants. The client writes its progress tokens, and under
 * the prefix of MCP what it declares about itself, such as a configuration; the client of the SDK lets
 * those of a request replace its own.
 */
const isOfPage = (name: string) =>
  /^(?:(?:granted|allowed)_scopes|progressToken)$/.test(name) || name.startsWith(MCP_META)

/** Returns the params without the members of `_meta` that an app may not set, or without an invalid `_meta`. */
export function cleanMetadata({ _meta, ...params }: JsonRecord): JsonRecord {
  if (!isRecord(_meta)) return params
  const kept = Object.entries(_meta).filter(([name]) => !isOfPage(name))
  return { ...params, _meta: Object.fromEntries(kept) }
}
