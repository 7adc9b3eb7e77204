/**
 * The apps page: the applications of this server, found in its resources, and a window with a log
 * for each open one.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import { factsOf, isApplication } from '../../mcp/tool-facts.ts'
import type { Connection } from '../../mcp/connection.ts'
import type { Resource, Tool } from '../../mcp/types.ts'
import { Icon } from '../ui/icons.tsx'
import { ENTRY_TEXT, firstOf, LeftOut } from '../ui/first-of.tsx'
import { Empty, Fault, PageHead, Waiting } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'
import { connectionStatus, openConnection, tools, revision } from '../connect/connection.ts'
import { ConversationPane } from '../conversation/pane.tsx'
import { features } from '../connect/workspace.ts'
import { NewApp } from '../new-app/new-app.tsx'
import { useLoad } from '../ui/load.ts'
import { linkTo, route, setQuery } from '../shell/route.ts'
import { chosenHost, ShowAs } from '../emulation/show-as.tsx'
import { AppSettings, appSettings } from './app-settings.tsx'
import { AppWindow, type OpenApp } from './app-window.tsx'

/** Shows the list of apps, or the page that makes a new one. */
export function Apps() {
  return route.value.path[1] === 'new' ? <NewApp /> : <AllApps />
}

/** Lists the applications and shows the open ones. */
function AllApps() {
  const { value, error, isLoading, reload } = useLoad(
    (signal) => findApps(openConnection(), signal),
    [connectionStatus.value, revision.value],
  )
  const { uri: requested, as } = route.value.query
  const [open, setOpen] = useState<readonly OpenApp[]>(() =>
    requested === undefined ? [] : [createApp(requested, requested)],
  )
  const show = ({ uri, title }: Pick<Resource, 'uri' | 'title'>) => {
    setOpen((before) => [createApp(uri, title), ...before].slice(0, appSettings().max_apps))
    setQuery({ uri, as })
  }
  const close = (key: number) => {
    setOpen((before) => before.filter((one) => one.key !== key))
    setQuery({ as })
  }
  const withView = tools.value.filter((tool) => factsOf(tool).ui !== null)
  const none = value?.length === 0 && withView.length === 0
  return (
    <>
      <PageHead title="Apps" actions={features.value.workspace && <NewAppLink />}>
        Apps of this server. Each runs in a frame of another origin, without access to this page.
      </PageHead>
      {error ? <Fault what="Cannot list the apps" error={error} retry={reload} /> : null}
      {!value && isLoading && <Waiting />}
      {none && open.length === 0 && (
        <Empty icon="apps" title="No apps">
          This server lists no app, and no tool with a view.
        </Empty>
      )}
      <AppGrid list={value ?? []} onChoose={show} />
      <ToolViews list={withView} as={as} />
      {!none && <ShowAs />}
      {!none && <AppSettings />}
      <div class="windows">
        {open.map((app) => (
          <AppWindow
            key={app.key}
            app={withTitle(app, value)}
            as={chosenHost()}
            onClose={() => close(app.key)}
          />
        ))}
      </div>
      <ConversationPane server={openConnection().url} />
    </>
  )
}

interface AppGridProps {
  readonly list: readonly Resource[]
  readonly onChoose: (app: Resource) => void
}

const AppGrid = ({ list, onChoose }: AppGridProps) => (
  <>
    <ul class="appgrid">
      {firstOf(list).map((resource) => (
        <li key={resource.uri}>
          <button type="button" class="card appcard" onClick={() => onChoose(resource)}>
            <Icon name="apps" />
            <strong>
              <Visible text={resource.title} most={ENTRY_TEXT} />
            </strong>
            <span>
              <Visible text={resource.description || 'App of this server'} most={ENTRY_TEXT} />
            </span>
            <code>
              <Visible text={resource.uri} most={ENTRY_TEXT} />
            </code>
          </button>
        </li>
      ))}
    </ul>
    <LeftOut count={list.length} />
  </>
)

const NewAppLink = () => (
  <a class="button primary" href={linkTo(['apps', 'new'])} data-testid="new-app-link">
    <Icon name="plus" /> New app
  </a>
)

/** An app opened by a link has its URI as its title until the list is loaded. */
function withTitle(app: OpenApp, list: readonly Resource[] | null): OpenApp {
  const found = list?.find(({ uri }) => uri === app.uri)
  return found ? { ...app, title: found.title } : app
}

let last = 0

const createApp = (uri: string, title: string): OpenApp => ({ key: ++last, uri, title })

interface ToolViewsProps {
  readonly list: readonly Tool[]
  /** The host that the views are shown as, as the address names it. */
  readonly as: string | undefined
}

function ToolViews({ list, as }: ToolViewsProps) {
  if (list.length === 0) return null
  return (
    <p class="viewtools">
      <span class="faint">Tools that show their result in a view:</span>
      {firstOf(list).map(({ name, title }) => (
        <a key={name} href={linkTo(['tools', name], { as })}>
          <Visible text={title} most={ENTRY_TEXT} />
        </a>
      ))}
    </p>
  )
}

/** Pages of the resource list that are read. */
const MAX_PAGES = 10

async function findApps(connection: Connection, signal: AbortSignal): Promise<readonly Resource[]> {
  const found: Resource[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items, next } = await connection.resources(cursor, { signal })
    found.push(...items.filter(isApplication))
    if (next === null) break
    cursor = next
  }
  return found
}
