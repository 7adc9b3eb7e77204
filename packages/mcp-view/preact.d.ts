/** Lets `<mcp-view>` be written in JSX of Preact: `import type {} from '@edgewise/mcp-view/preact'`. */
import type { HTMLAttributes } from 'preact'
import type { McpViewProps } from './jsx.js'
import type { McpView } from './types/mcp-view.js'

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'mcp-view': McpViewProps & HTMLAttributes<McpView>
    }
  }
}
