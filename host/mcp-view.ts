/**
 * `/mcp-view.js`: defines `<mcp-view>` in the page that loads it, once.
 *
 * @module
 */

import { McpView } from './view/element.ts'

if (!customElements.get('mcp-view')) customElements.define('mcp-view', McpView)
