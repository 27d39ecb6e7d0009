export { made, scenes } from "../pose/made.js";
