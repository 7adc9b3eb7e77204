/**
 * Tables of the reference pages, from the docstrings of the published types (`packages/*\/types`).
 *
 * @module
 */

import ts from '@typescript/typescript6'
import { readFileSync } from 'node:fs'
import { table } from './markdown.ts'
import { inProject } from './settings.ts'

/** A declaration with members, or one member of it. */
type Member = ts.ClassElement | ts.TypeElement

/** The declarations of one published file. */
export interface Reference {
  /** Lists the exported functions and values with the first sentence of each. */
  readonly exports: () => string
  /** Lists the attributes that the docstring of a class names. */
  readonly attributes: (name: string) => string
  /** Lists the properties of a class, or of interfaces that extend each other, base first. */
  readonly properties: (...names: readonly string[]) => string
  /** Lists the methods of a class or an interface. */
  readonly methods: (name: string) => string
  /** Lists the events of an interface of events with their details. */
  readonly events: (name: string) => string
  /** Shows declarations as they are. */
  readonly source: (...names: readonly string[]) => string
}

/** Reads a declaration file, such as `packages/webmcp/types/webmcp.d.ts`. */
export function readReference(path: string): Reference {
  const text = readFileSync(inProject(path), 'utf8')
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  return {
    exports: () => exportsTable(file),
    attributes: (name) => attributesTable(find(file, name)),
    properties: (...names) => propertiesTable(names.flatMap((name) => membersOf(find(file, name)))),
    methods: (name) => methodsTable(membersOf(find(file, name))),
    events: (name) => eventsTable(membersOf(find(file, name))),
    source: (...names) =>
      `\`\`\`ts\n${names.map((name) => find(file, name).getText()).join('\n\n')}\n\`\`\``,
  }
}

function find(file: ts.SourceFile, name: string): ts.Statement {
  const found = file.statements.find((statement) => namesOf(statement).includes(name))
  if (!found) throw new Error(`Cannot find ${name} in ${file.fileName}`)
  return found
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  const isNamed =
    ts.isClassDeclaration(statement) ||
    ts.isFunctionDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  return isNamed && statement.name ? [statement.name.text] : []
}

function membersOf(node: ts.Node): readonly Member[] {
  if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) return node.members
  throw new Error(`Cannot list the members of ${node.getText().slice(0, 40)}`)
}

/** The text of a docstring without its tags; empty without one. */
function docOf(node: ts.Node): string {
  const docs = ts.getJSDocCommentsAndTags(node).filter((doc) => ts.isJSDoc(doc))
  return ts.getTextOfJSDocComment(docs.at(-1)?.comment) ?? ''
}

const inLine = (text: string) => text.replace(/\s*\n\s*/g, ' ').trim()
const code = (text: string) => `\`${inLine(text)}\``
const firstSentence = (text: string) => inLine(text).split(/(?<=\.) (?=[A-Z`])/)[0] ?? ''

function exportsTable(file: ts.SourceFile): string {
  const exported = file.statements
    .filter((statement) => ts.isExportDeclaration(statement))
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .flatMap(({ exportClause: clause }) =>
      clause && ts.isNamedExports(clause) ? [...clause.elements] : [],
    )
  const rows = exported.map(({ name, propertyName = name }) => [
    code(name.text),
    firstSentence(docOf(find(file, propertyName.text))),
  ])
  return table(['Export', ''], rows)
}

const ATTRIBUTE = /^- (?<names>(?:`[^`]+`(?:, )?)+): (?<text>[^]*?)$/

function attributesTable(node: ts.Node): string {
  const list =
    docOf(node)
      .split('\n\n')
      .find((part) => part.startsWith('Attributes:')) ?? ''
  const rows = list.split(/\n(?=- )/).flatMap((item) => {
    const { names, text } = ATTRIBUTE.exec(item)?.groups ?? {}
    return names === undefined || text === undefined ? [] : [[names, withoutSources(inLine(text))]]
  })
  return table(['Attribute', ''], rows)
}

/** Readers of a page do not have the source that a docstring refers to. */
const withoutSources = (text: string) => text.replace(/; see `[\w-]+\.ts`[^.;]*/, '')

/** Members that the browser calls. */
const CALLBACK = /Callback$/

function propertiesTable(members: readonly Member[]): string {
  const set = new Set(members.filter(ts.isSetAccessor).map(({ name }) => name.getText()))
  const rows = members.flatMap((member) => {
    const isGetter = ts.isGetAccessor(member)
    const isField = ts.isPropertyDeclaration(member) || ts.isPropertySignature(member)
    if (!isGetter && !(isField && !isFixed(member))) return []
    const name = member.name.getText()
    const readOnly = isGetter && !set.has(name) ? 'Read-only. ' : ''
    const optional = isField && member.questionToken ? '?' : ''
    return [
      [code(name + optional), code(member.type?.getText() ?? ''), readOnly + inLine(docOf(member))],
    ]
  })
  // A later row replaces an earlier one of the same name.
  const byName = new Map(rows.map((row) => [row[0], row]))
  return table(['Property', 'Type', ''], [...byName.values()])
}

const isFixed = (member: ts.PropertyDeclaration | ts.PropertySignature) =>
  ts.isPrivateIdentifier(member.name) ||
  (ts.getModifiers(member) ?? []).some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword)

function methodsTable(members: readonly Member[]): string {
  const rows = members.flatMap((member) => {
    const isMethod = ts.isMethodDeclaration(member) || ts.isMethodSignature(member)
    if (!isMethod || CALLBACK.test(member.name.getText())) return []
    return [[code(signatureOf(member)), inLine(docOf(member))]]
  })
  return table(['Method', ''], rows)
}

const signatureOf = (member: ts.MethodDeclaration | ts.MethodSignature) =>
  inLine(member.getText())
    .replace(/;$|readonly /g, '')
    .replace(/\( /g, '(')
    .replace(/, \)/g, ')')

function eventsTable(members: readonly Member[]): string {
  const rows = members.flatMap((member) => {
    if (!ts.isPropertySignature(member) || !member.type) return []
    const detail = ts.isTypeReferenceNode(member.type) ? member.type.typeArguments?.[0] : undefined
    return [
      [code(member.name.getText().replaceAll("'", '')), detailOf(detail), inLine(docOf(member))],
    ]
  })
  return table(['Event', '`detail`', ''], rows)
}

/** A detail in one line; comments in it are left out. */
function detailOf(type: ts.TypeNode | undefined): string {
  const text =
    type
      ?.getText()
      .replace(/\/\*\*[^]*?\*\//g, '')
      .replaceAll('readonly ', '') ?? ''
  const members = inLine(text).replace(/(?<=[^{&]) (?=\w+\??: )/g, '; ')
  return code(
    members.replace(/^Asking & \{/, '{ respondWith;').replace(/^Asking$/, '{ respondWith }'),
  )
}
