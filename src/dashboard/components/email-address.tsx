/** Shows an email address that breaks before its `@` if the line is too short, and elsewhere only if necessary. */
export function EmailAddress({ children }: { children: string }) {
  const at = children.lastIndexOf('@');
  if (at < 0) return children;
  return (
    <>
      {children.slice(0, at)}
      <wbr />
      {children.slice(at)}
    </>
  );
}
