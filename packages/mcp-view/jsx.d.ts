/** What JSX may set on `<mcp-view>`: properties, attributes and listeners. */
import type { McpView, ViewEvents } from './types/mcp-view.js'

type Settable =
  | 'server'
  | 'tool'
  | 'html'
  | 'resourceMeta'
  | 'toolInput'
  | 'toolInputPartial'
  | 'toolResult'
  | 'hostContext'
  | 'displayModes'
  | 'hostCapabilities'

type Properties = { [Name in Settable]?: McpView[Name] | undefined }

type Listeners = {
  [Name in keyof ViewEvents as `on${Name}`]?: ((event: ViewEvents[Name]) => void) | undefined
}

/** Properties, attributes and listeners of `<mcp-view>`. */
export interface McpViewProps extends Properties, Listeners {
  src?: string | undefined
  sandbox?: string | undefined
  'own-sandbox'?: string | undefined
  'server-name'?: string | undefined
  height?: number | string | undefined
  'max-height'?: number | string | undefined
  'init-timeout'?: number | string | undefined
  'call-timeout'?: number | string | undefined
  'retry-delay'?: number | string | undefined
  links?: 'open' | undefined
  traffic?: '' | undefined
}
