/** A linear classifier on the page: one view, which fills the panel that it is given. */

/** Everything that this network brings to the page. */
export const network = {
  views: [
    {
      id: "scores",
      title: "Scores",
      shape: ({ classes }) => `${classes}`,
      thumbnail: {
        needs: ["scores"],
        paint(canvas, { tensors }) {
          canvas.title = `${tensors.scores.data.length} scores`;
        },
      },
      needs: ["logits", "scores"],
      script: "networks/linear/scores.js",
      load: () => import("./scores.js"),
    },
  ],
  slice: () => ({ marked: 0 }),
  actions: (store) => ({ mark: (marked) => store.set({ marked }) }),
  link: {
    write(link, { marked }) {
      if (marked !== 0) link.set("marked", String(marked));
    },
    read: (link) => ({ marked: Number(link.get("marked") ?? 0) }),
  },
};
