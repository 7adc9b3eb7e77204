/** Workspace names, as they appear in URLs, in links and in grants. @module */

/** The source of a regular expression. */
export const WORKSPACE_NAME = String.raw`[a-z0-9][a-z0-9\-]{0,62}`

const WHOLE = new RegExp(`^${WORKSPACE_NAME}$`)

/** Whether a text is a valid workspace name. */
export const isWorkspaceName = (text: string): boolean => WHOLE.test(text)

/** Whether a name is that of the default workspace, whose paths have no name. It is empty where the platform does not tell it. */
export const isDefaultWorkspace = (name: string): boolean => name === '' || name === 'default'

/** The beginning of the paths of a workspace: empty for the default one. */
export const workspacePath = (name: string): string =>
  isDefaultWorkspace(name) ? '' : `/w/${name}`
