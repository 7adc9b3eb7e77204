/**
 * A file: what it has, rendered or as its source, and what can be made of it.
 * `test/host/console/files/place.test.tsx` has the cases.
 *
 * @module
 */

import { useRef, useState } from 'preact/hooks'
import { nameOf, parentOf, ROOT, type StorePath } from '#core/path.ts'
import { MAX_EDITED_BYTES } from '../amendments/proposed-text.ts'
import { visible } from '#core/visible.ts'
import { isPicture } from '../drafts/pictures.tsx'
import { basePath } from '../connect/workspace.ts'
import { go, linkTo } from '../shell/route.ts'
import { formatBytes, formatLimit } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { useLoad } from '../ui/load.ts'
import { Fault, Note, Waiting, When } from '../ui/parts.tsx'
import { Path } from '../ui/path.tsx'
import { Segments } from '../ui/segments.tsx'
import { DocumentText } from './document-text.tsx'
import { Editor } from './editor.tsx'
import { editingOf, openEditing } from './editing.ts'
import { EntryMenu, useEntryActions } from './entry-actions.tsx'
import { Picture } from './picture.tsx'
import { isMarkdownName, Rendered } from './rendered.tsx'
import { SourceLines } from './source-lines.tsx'
import { addressOf, readSource, type FileFacts, type NoSource, type Source } from './source.ts'

interface Props {
  readonly path: StorePath
  /** The facts of the file; null if they are not known while it is open in the editor. */
  readonly file: FileFacts | null
  /** Whether the file is gone from the workspace. */
  readonly isGone: boolean
}

/** Shows a file, or its editor while it is open there. */
export function FilePage({ path, file, isGone }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const editing = editingOf(path)
  const folder = parentOf(path)
  const actions = useEntryActions((moved) =>
    go(['files'], moved === null ? (folder === ROOT ? {} : { path: folder }) : { path: moved }),
  )
  return (
    <article class="filepage" aria-label={visible(nameOf(path))}>
      <header class="filepagehead">
        <div>
          <h2 ref={heading} tabIndex={-1}>
            <Path text={nameOf(path)} />
          </h2>
          {file && <Facts {...file} />}
        </div>
        {file && (
          <div class="row">
            <a class="button quiet small" href={linkTo(['files', 'browser'], { path })}>
              <Icon name="waiting" /> History
            </a>
            <a class="button quiet small" href={addressOf(basePath.value, path)} download>
              <Icon name="download" /> Download
            </a>
            <EntryMenu
              entry={{ ...file, type: 'file' }}
              onAct={(act) => actions.open(act, { ...file, type: 'file' })}
            />
          </div>
        )}
      </header>
      {editing ? (
        <Editor
          editing={editing}
          current={file?.version ?? null}
          isGone={isGone}
          onClosed={() => heading.current?.focus()}
        />
      ) : (
        file && <Content path={path} file={file} />
      )}
      {actions.dialog}
    </article>
  )
}

const Facts = ({ size, changed }: FileFacts) => (
  <p class="faint small numbers">
    {formatBytes(size)}
    {changed !== null && (
      <>
        {' · changed '}
        <When at={changed} />
      </>
    )}
  </p>
)

/** Shows what the file has. */
function Content({ path, file }: { readonly path: StorePath; readonly file: FileFacts }) {
  const base = basePath.value
  const isImage = isPicture(path)
  const { value, error, reload } = useLoad(
    (signal) => readSource(base, path, signal),
    [base, path, file.version],
  )
  if (error) return <Fault what="Cannot read the file" error={error} retry={reload} />
  if (value === null) return <Waiting>Reading the file…</Waiting>
  if (value.ok) return <Text path={path} source={value.value} isImage={isImage} />
  return isImage ? (
    <>
      <NotEditable reason="picture" />
      <Picture path={path} version={file.version} />
    </>
  ) : (
    <Other path={path} none={value.error} version={file.version} />
  )
}

interface TextProps {
  readonly path: StorePath
  readonly source: Source
  /** Whether the text is a picture as well, such as SVG. */
  readonly isImage: boolean
}

type Form = 'rendered' | 'source'

function Text({ path, source, isImage }: TextProps) {
  const hasForms = isImage || isMarkdownName(path)
  const [form, setForm] = useState<Form>(hasForms ? 'rendered' : 'source')
  return (
    <>
      <div class="row apart">
        {hasForms ? (
          <Segments
            label="Form"
            value={form}
            options={[
              ['rendered', 'Rendered'],
              ['source', 'Source'],
            ]}
            onChange={setForm}
          />
        ) : (
          <span />
        )}
        <button type="button" class="button primary" onClick={() => openEditing(path, source)}>
          <Icon name="pencil" /> Edit
        </button>
      </div>
      {source.text === '' ? (
        <p class="faint">This file is empty.</p>
      ) : form === 'source' ? (
        <SourceLines path={path} text={source.text} />
      ) : isImage ? (
        <Picture path={path} version={source.version} />
      ) : (
        <Rendered path={path} text={source.text} />
      )}
    </>
  )
}

interface OtherProps {
  readonly path: StorePath
  readonly none: NoSource
  readonly version: number
}

/** Shows what there is of a file that cannot be edited, and why it cannot be. */
function Other({ path, none: { reason, beginning }, version }: OtherProps) {
  if (reason === 'not_text') return <DocumentText path={path} version={version} />
  return (
    <>
      <NotEditable reason="too_large" />
      {beginning !== null && <SourceLines path={path} text={beginning} />}
    </>
  )
}

const REASONS = {
  picture: 'A picture cannot be edited here. Download it, and import it again.',
  too_large: `This file cannot be edited here: it is larger than ${formatLimit(MAX_EDITED_BYTES)}. Its beginning is shown.`,
} as const

const NotEditable = ({ reason }: { readonly reason: keyof typeof REASONS }) => (
  <Note>{REASONS[reason]}</Note>
)
