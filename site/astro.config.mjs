import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import sidebar from './src/sidebar.json' with { type: 'json' };

export default defineConfig({
  base: '/guides',
  trailingSlash: 'always',
  // The content security policy blocks style elements.
  build: { inlineStylesheets: 'never' },
  // Pictures are served as they are.
  image: { service: { entrypoint: 'astro/assets/services/noop' } },
  integrations: [
    starlight({
      title: 'Causeway',
      sidebar,
      customCss: ['./src/styles/site.css'],
      credits: false,
      expressiveCode: { defaultProps: { frame: 'none', wrap: true } },
    }),
  ],
});
