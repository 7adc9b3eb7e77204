/** Lets `<mcp-view>` be written in JSX of React 19: `import type {} from '@edgewise/mcp-view/react'`. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { McpViewProps } from './jsx.js'
import type { McpView } from './types/mcp-view.js'

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'mcp-view': McpViewProps & DetailedHTMLProps<HTMLAttributes<McpView>, McpView>
    }
  }
}
