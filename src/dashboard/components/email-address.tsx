/** An e-mail address, which goes on before its `@` where a line has no room for it, and only in need elsewhere. */
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
