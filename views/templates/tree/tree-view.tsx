/**
 * T5, the tree: nodes of JSON, or the files of the app, with a filter at any depth and a count.
 *
 * Only visible rows are in the document. The keys are those of the ARIA tree view pattern.
 *
 * @module
 */

import { visible } from '#core/visible.ts'
import type { SettingsOf } from '#core/apps/templates.ts'
import type { TargetedKeyboardEvent } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Icon } from '../../icons.tsx'
import { pluralize, SafeLine, SafeText, ShortText } from '../../safe-text.tsx'
import { VirtualList } from '../../virtual-list.tsx'
import type { Dashboard } from '../dashboard.ts'
import { nodesOfFiles, nodesOfJson, type Nodes, type TreeNode } from '../data/nodes.ts'
import type { AppData } from '../data/files.ts'
import { withoutBom } from '../data/rows.ts'
import { useLoaded } from '../use-loaded.ts'
import {
  countNodes,
  filterNodes,
  findStep,
  initiallyOpen,
  visibleNodes,
  type NodeRow,
} from './rows.ts'

export interface TreeViewProps {
  readonly dashboard: Dashboard
  readonly data: AppData
  readonly settings: SettingsOf<'tree-view'>
}

/** Renders the tree. */
export function TreeView({ dashboard, data, settings }: TreeViewProps) {
  const { value, error } = useLoaded(() => loadNodes(dashboard, data), [data])
  return (
    <>
      {error !== '' && (
        <p class="problem" role="alert">
          <SafeText text={error} />
        </p>
      )}
      {value && <Tree {...{ dashboard, settings }} nodes={value} />}
    </>
  )
}

/** A single JSON file has nodes; of several files, the paths are the tree. */
async function loadNodes(dashboard: Dashboard, data: AppData): Promise<Nodes> {
  if (data.kind === 'value') return nodesOfJson(data.value)
  const [file] = data.files
  if (data.files.length !== 1 || !file || !/\.json$/i.test(file.path))
    return nodesOfFiles(data.files)
  return nodesOfJson(JSON.parse(withoutBom(await dashboard.text(file))))
}

interface TreeProps {
  readonly dashboard: Dashboard
  readonly settings: SettingsOf<'tree-view'>
  readonly nodes: Nodes
}

function Tree({ dashboard, settings, nodes }: TreeProps) {
  const [query, setQuery] = useState('')
  const [open, setOpen] = useState(() => initiallyOpen(nodes.roots, settings.expandLevel))
  const [selected, setSelected] = useState('')
  const filtered = useMemo(() => filterNodes(nodes.roots, query), [nodes, query])
  const rows = useMemo(
    () => visibleNodes(filtered ?? nodes.roots, filtered ? null : open),
    [filtered, nodes, open],
  )
  const toggle = (key: string) => {
    const next = new Set(open)
    if (!next.delete(key)) next.add(key)
    setOpen(next)
  }
  const enter = (node: TreeNode) => {
    if (node.children.length > 0 && !filtered) toggle(node.key)
    const { selectable, onSelectTool: tool } = settings
    if (!selectable && tool === null) return
    setSelected(node.key)
    if (tool !== null) void dashboard.act(tool, { nodeId: node.id }, 'Done')
  }
  const found = filtered ? countNodes(filtered) : nodes.count
  const more = nodes.leftOut > 0 ? `, ${nodes.leftOut.toLocaleString('en')} not shown` : ''
  return (
    <>
      <div class="bar">
        <input
          type="search"
          placeholder="Filter"
          aria-label="Filter"
          value={query}
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        />
        <p class="sum" role="status">
          {filtered
            ? `${found.toLocaleString('en')} of ${pluralize(nodes.count, 'node')}`
            : pluralize(found, 'node')}
          {more}
        </p>
      </div>
      <Rows
        label={settings.title}
        {...{ rows, selected, toggle, enter }}
        showIcons={settings.showIcons}
        isFiltered={filtered !== null}
      />
    </>
  )
}

interface RowsProps {
  readonly label: string
  readonly rows: readonly NodeRow[]
  readonly selected: string
  readonly showIcons: boolean
  readonly isFiltered: boolean
  readonly toggle: (key: string) => void
  readonly enter: (node: TreeNode) => void
}

function Rows({ label, rows, selected, showIcons, isFiltered, toggle, enter }: RowsProps) {
  const [key, setKey] = useState('')
  const [moves, setMoves] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const active = Math.max(
    0,
    rows.findIndex((row) => row.node.key === key),
  )
  useLayoutEffect(() => {
    if (moves > 0) list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [moves])
  const goTo = (index: number) => {
    setKey(rows[index]?.node.key ?? '')
    setMoves(moves + 1)
  }
  const press = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const step = findStep(event, rows, active)
    const row = rows[active]
    if (typeof step === 'number') goTo(step)
    else if (step === 'toggle' && row && !isFiltered) toggle(row.node.key)
    else if (step === 'enter' && row) enter(row.node)
    else return
    event.preventDefault()
  }
  if (rows.length === 0) return <p class="empty">Nothing found</p>
  return (
    <div class="fill" ref={list}>
      <VirtualList
        count={rows.length}
        active={active}
        scrollKey={moves}
        attributes={{ role: 'tree', 'aria-label': label, onKeyDown: press }}
        render={(index, style) => {
          const row = rows[index]
          if (!row) return null
          return (
            <NodeItem
              key={row.node.key}
              {...{ row, style, showIcons }}
              isActive={index === active}
              isSelected={row.node.key === selected}
              onClick={() => {
                setKey(row.node.key)
                enter(row.node)
              }}
            />
          )
        }}
      />
    </div>
  )
}

interface NodeProps {
  readonly row: NodeRow
  readonly style: string
  readonly showIcons: boolean
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly onClick: () => void
}

function NodeItem({ row, style, showIcons, isActive, isSelected, onClick }: NodeProps) {
  const { node, level, index, siblings, isOpen } = row
  const hasChildren = node.children.length > 0
  return (
    <div
      class={isSelected ? 'row selected' : 'row'}
      role="treeitem"
      aria-level={level}
      aria-posinset={index + 1}
      aria-setsize={siblings}
      aria-selected={isSelected}
      aria-expanded={hasChildren ? isOpen : undefined}
      tabIndex={isActive ? 0 : -1}
      style={`${style}--level:${level}`}
      title={visible(node.label)}
      onClick={onClick}
    >
      <span class="twist" aria-hidden="true">
        {hasChildren ? (isOpen ? '▾' : '▸') : ''}
      </span>
      {showIcons && (
        <span class="node-icon" aria-hidden="true">
          <NodeIcon node={node} />
        </span>
      )}
      <span class="name">
        <ShortText text={node.label} />
      </span>
      {node.meta !== '' && (
        <span class="fact">
          <SafeLine text={node.meta} />
        </span>
      )}
    </div>
  )
}

function NodeIcon({ node }: { readonly node: TreeNode }) {
  if (node.iconChar !== '') return <SafeLine text={node.iconChar} />
  if (node.icon === 'other') return '•'
  return <Icon name={node.icon === 'file' ? 'file' : 'folder'} />
}
