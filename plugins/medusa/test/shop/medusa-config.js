import { defineConfig } from '@medusajs/framework/utils';

const { CAUSEWAY_URL, CAUSEWAY_KEY, CAUSEWAY_SECRET, CAUSEWAY_WEBHOOK_SECRET, DATABASE_URL } = process.env;

export default defineConfig({
  projectConfig: {
    databaseUrl: DATABASE_URL,
    http: {
      storeCors: 'http://localhost:8000',
      adminCors: 'http://localhost:9000',
      authCors: 'http://localhost:9000',
      jwtSecret: 'test',
      cookieSecret: 'test',
    },
  },
  plugins: [{ resolve: 'causeway-medusa', options: {} }],
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        providers: [
          {
            resolve: 'causeway-medusa/providers/causeway',
            id: 'causeway',
            options: {
              url: CAUSEWAY_URL,
              apiKey: CAUSEWAY_KEY,
              apiSecret: CAUSEWAY_SECRET,
              webhookSecret: CAUSEWAY_WEBHOOK_SECRET,
              storefrontUrl: 'http://localhost:8000',
            },
          },
        ],
      },
    },
  ],
});
