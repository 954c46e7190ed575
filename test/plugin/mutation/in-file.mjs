/** Shortens the lists of mutations: the file and the suite are the same for many. */
export const inFile = (file, suite) => (what, find, replace, test) => ({
  what,
  file,
  find,
  replace,
  suite,
  test,
});
