/**
 * Declares `document.modelContext`, for pages that apply the polyfill. Load it once, with
 * `"types": ["@edgewise/webmcp/globals"]` or `import type {} from '@edgewise/webmcp/globals'`.
 *
 * It is apart from the main entry, because `webmcp-types` declares the same property.
 */
import type { PageModelContext } from './types/webmcp.js'

declare global {
  interface Document {
    readonly modelContext: PageModelContext
  }
}
