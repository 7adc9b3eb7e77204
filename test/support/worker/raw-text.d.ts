/** A file of the repository as text, which Vite puts into the tests that run in workerd. */
declare module '*?raw' {
  const text: string
  export default text
}
