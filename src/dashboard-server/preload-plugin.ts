import type { HtmlTagDescriptor, Plugin } from 'vite';

/**
 * Lets browsers load the application together with the texts of the user's language. Without it, they would load it
 * only after the texts, because the main script imports it then.
 */
export function preloadPlugin(module: string): Plugin {
  return {
    name: 'preload',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const start = Object.values(bundle).find(
          (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(module),
        );
        if (start?.type !== 'chunk') throw new Error(`the bundle has no chunk of ${module}`);
        const { fileName, imports } = start;
        const scripts = [fileName, ...imports].filter(
          (name) => bundle[name]?.type === 'chunk' && !bundle[name].isEntry,
        );
        const styles = scripts.flatMap((name) => [
          ...(bundle[name]?.type === 'chunk' ? (bundle[name].viteMetadata?.importedCss ?? []) : []),
        ]);
        return [
          ...scripts.map((name) => toLink('modulepreload', name)),
          ...styles.map((name) => toLink('stylesheet', name)),
        ];
      },
    },
  };
}

function toLink(rel: string, name: string): HtmlTagDescriptor {
  return { tag: 'link', attrs: { rel, crossorigin: true, href: `/dashboard/${name}` }, injectTo: 'head' };
}
