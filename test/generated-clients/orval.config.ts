export default {
  causeway: {
    input: './openapi.json',
    output: { target: './generated/orval.ts', client: 'fetch', baseUrl: process.env.CAUSEWAY_URL },
  },
};
