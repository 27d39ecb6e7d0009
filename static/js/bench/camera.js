/**
 * A still from the camera, which is then read as an upload is: what stands in the frame.
 */
import { find, findElement } from "../ui/dom.js";

const FRAME = 0.8; // of the picture's short side, as in the style sheet
const QUALITY = 0.92; // of the JPEG file
const IDEAL = { width: { ideal: 1280 }, height: { ideal: 960 } };

const NO_WAY =
  "The browser gives a page the camera only over https, or on the same computer: upload a picture instead.";
const FAILURES = /** @type {Record<string, string>} */ ({
  NotAllowedError:
    "The camera is not allowed to this page: allow it in the browser, or upload a picture instead.",
  NotFoundError: "There is no camera here: upload a picture instead.",
  NotReadableError: "The camera cannot be used; another program may have it.",
});

/** Why there is no picture, in a sentence. @param {unknown} error */
export function failureWords(error) {
  const name = error instanceof DOMException ? error.name : "";
  return FAILURES[name] ?? "The camera gives no picture: upload one instead.";
}

/**
 * The part of a picture that stands in the frame.
 * @param {number} width @param {number} height px
 */
export function framed(width, height) {
  const side = Math.round(FRAME * Math.min(width, height));
  return {
    left: Math.round((width - side) / 2),
    top: Math.round((height - side) / 2),
    side,
  };
}

/**
 * @param {HTMLElement} root
 * @param {(file: File) => void} read @param {(problem: string) => void} report
 */
export function mountCamera(root, read, report) {
  const open = find(root, "[data-camera-open]", HTMLButtonElement);
  const dialog = find(root, "[data-camera]", HTMLDialogElement);
  const video = find(dialog, "video", HTMLVideoElement);
  const take = find(dialog, "[data-camera-take]", HTMLButtonElement);
  /** @type {MediaStream | null} */
  let stream = null;

  async function begin() {
    if (!navigator.mediaDevices?.getUserMedia) return report(NO_WAY);
    open.disabled = true;
    try {
      const asked = { video: { facingMode: "environment", ...IDEAL }, audio: false };
      stream = await navigator.mediaDevices.getUserMedia(asked);
      take.disabled = true;
      for (const track of stream.getTracks())
        track.addEventListener("ended", () => dialog.close());
      video.srcObject = stream;
      dialog.showModal();
      await video.play();
      take.disabled = false;
      take.focus();
    } catch (error) {
      // Whoever closed the dialog needs no reason.
      if (stream === null || dialog.open) report(failureWords(error));
      dialog.close();
      end();
    } finally {
      open.disabled = false;
    }
  }
  function end() {
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = null;
    video.srcObject = null;
  }
  open.addEventListener("click", () => void begin());
  dialog.addEventListener("close", () => {
    end();
    open.focus();
  });
  video.addEventListener("loadedmetadata", () => {
    const ratio = video.videoWidth / video.videoHeight;
    findElement(dialog, "[data-camera-scene]").style.setProperty("--ratio", `${ratio}`);
  });
  take.addEventListener("click", () => {
    const { left, top, side } = framed(video.videoWidth, video.videoHeight);
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = side;
    canvas.getContext("2d")?.drawImage(video, left, top, side, side, 0, 0, side, side);
    dialog.close();
    canvas.toBlob(
      (blob) => {
        if (blob) read(new File([blob], "camera.jpg", { type: blob.type }));
        else report(failureWords(null));
      },
      "image/jpeg",
      QUALITY,
    );
  });
}
