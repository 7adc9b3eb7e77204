/** The official `App` class, as a network of script files serves it. @module */

export { App } from '@modelcontextprotocol/ext-apps'
