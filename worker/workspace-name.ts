/** Workspace names, as they appear in URLs, in links and in grants. @module */

/** The source of a regular expression. */
export const WORKSPACE_NAME = String.raw`[a-z0-9][a-z0-9\-]{0,62}`

const WHOLE = new RegExp(`^${WORKSPACE_NAME}$`)

/** Whether a text is a valid workspace name. */
export const isWorkspaceName = (text: string): boolean => WHOLE.test(text)
