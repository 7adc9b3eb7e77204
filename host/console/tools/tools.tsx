/**
 * The tools page: the server's tools in groups, each with its sentence, and the open tool beside
 * the list.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import { factsOf, intentOf, type ToolFacts } from '../../mcp/tool-facts.ts'
import type { Tool } from '../../mcp/types.ts'
import { FactBadges } from './fact-badges.tsx'
import { Icon } from '../ui/icons.tsx'
import { ENTRY_TEXT, firstOf, LeftOut } from '../ui/first-of.tsx'
import { Empty, PageHead } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'
import { formatCount } from '../ui/format.ts'
import { tools } from '../connect/connection.ts'
import { linkTo, route } from '../shell/route.ts'
import { ToolPage } from './tool.tsx'

/** Shows the list of tools, and the open one. */
export function Tools() {
  const { path, query } = route.value
  const [, name] = path
  const tool = tools.value.find((one) => one.name === name)
  if (name === undefined) return <AllTools />
  return (
    <div class="split">
      <div class="beside">
        <List open={name} />
      </div>
      <div class="open">
        {tool ? (
          <ToolPage key={`${name} ${query['args'] ?? ''}`} tool={tool} />
        ) : (
          <NoTool name={name} />
        )}
      </div>
    </div>
  )
}

const AllTools = () => (
  <>
    <PageHead title="Tools">Tools that agents can call. Open a tool to run it yourself.</PageHead>
    <List />
  </>
)

const NoTool = ({ name }: { readonly name: string }) => (
  <Empty
    icon="tools"
    title="Tool not found"
    actions={
      <a class="button" href={linkTo(['tools'])}>
        All tools
      </a>
    }
  >
    This server does not offer <code>{name}</code> to this session.
  </Empty>
)

function List({ open }: { readonly open?: string }) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const shown = tools.value.filter(({ name, title, description }) =>
    `${name} ${title} ${description}`.toLowerCase().includes(wanted),
  )
  const groups = Map.groupBy(firstOf(shown), (tool) => labelGroup(tool))
  if (tools.value.length === 0)
    return (
      <Empty icon="tools" title="No tools">
        This server offers no tools. Apps that it has are under Apps.
      </Empty>
    )
  return (
    <div class="stack">
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label="Search tools"
          placeholder={`Search ${formatCount(tools.value.length, 'tool')}`}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </div>
      <p class="unseen" role="status">
        {wanted === '' ? '' : `${formatCount(shown.length, 'tool')} found`}
      </p>
      {[...groups].map(([group, list]) => (
        <section key={group} class="toolgroup">
          <h2>{group}</h2>
          <ul class={open === undefined ? 'tools' : 'tools narrow'}>
            {list.map((tool) => (
              <Entry key={tool.name} tool={tool} isOpen={tool.name === open} />
            ))}
          </ul>
        </section>
      ))}
      <LeftOut count={shown.length} />
      {shown.length === 0 && <p class="faint">No tool matches “{text}”.</p>}
    </div>
  )
}

function labelGroup(tool: Tool): string {
  const { group, visibility } = factsOf(tool)
  if (!visibility.model) return 'For the console and apps only'
  if (group === null) return 'Tools'
  return `${group.charAt(0).toUpperCase()}${group.slice(1).replaceAll('_', ' ')}`
}

function Entry({ tool, isOpen }: { readonly tool: Tool; readonly isOpen: boolean }) {
  const facts = factsOf(tool)
  return (
    <li class={isOpen ? 'open' : ''}>
      <a href={linkTo(['tools', tool.name])} aria-current={isOpen ? 'true' : undefined}>
        <span class="toolname">
          <strong>
            <Visible text={tool.title} most={ENTRY_TEXT} />
          </strong>{' '}
          <code>
            <Visible text={tool.name} most={ENTRY_TEXT} />
          </code>
        </span>
        <Template tool={tool} facts={facts} />
        <FactBadges facts={facts} />
      </a>
    </li>
  )
}

/** The intent template with its placeholders; without one, the first sentence of the description. */
function Template({ tool, facts }: { readonly tool: Tool; readonly facts: ToolFacts }) {
  const first = tool.description.split(/(?<=\.)\s/, 1)[0] ?? ''
  if (facts.intentTemplate === null)
    return (
      <span class="template">
        <Visible text={first} most={ENTRY_TEXT} />
      </span>
    )
  const { parts } = intentOf(tool, {})
  return (
    <span class="template">
      {parts.map((part, index) =>
        part.type === 'missing' ? (
          <span key={index} class="gap">
            {part.key}
          </span>
        ) : (
          part.text
        ),
      )}
    </span>
  )
}
