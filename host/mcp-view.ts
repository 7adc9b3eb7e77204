/**
 * `/mcp-view.js` and `@edgewise/mcp-view`: defines `<mcp-view>` in the page that loads it, once.
 *
 * @module
 */

import { McpView } from './view/element.ts'

export { McpView }
export type * from './view/types.ts'

if (!customElements.get('mcp-view')) customElements.define('mcp-view', McpView)
