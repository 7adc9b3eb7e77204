/**
 * `/mcp-view.js` and `@edgewise/mcp-view`: defines `<mcp-view>` in the page that loads it, once. On a server, which
 * renders a page with the element, it does nothing.
 *
 * @module
 */

import { McpView } from './view/element.ts'

export { McpView }
export type * from './view/types.ts'

if (typeof customElements === 'object' && !customElements.get('mcp-view'))
  customElements.define('mcp-view', McpView)
