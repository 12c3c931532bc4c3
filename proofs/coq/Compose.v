(** Composition (paper 3.3, model/composition.py): a function that finds A∘B whenever a layout compatible with B
    equals it on Z(B), and says so when none does. *)
From Veritile Require Import Modes Coalesce Shapes.

(** R is A∘B: definition 3.3, for B with integer offsets. *)
Definition composes (A : modes) (B R : layout) : Prop :=
  wfl R /\ compatible (shape_of B) (shape_of R)
  /\ forall c, in_bounds (shape_of B) c -> eval R c = value A (eval B c).

Definition leaf_of (l : modes) : layout :=
  match l with [] => Leaf (1, 0) | [m] => Leaf m | _ => Node (map Leaf l) end.

(** Each leaf s:d of B replaced by the only canonical layout that can have the offsets of i ↦ A(i·d). *)
Fixpoint candidate (A : modes) (B : layout) : option layout :=
  match B with
  | Leaf (s, d) => option_map leaf_of (candidate1 (fun i => value A (i * d)) s)
  | Node bs =>
      option_map Node
        ((fix go (bs : list layout) : option (list layout) :=
            match bs with
            | [] => Some []
            | b :: bs => match candidate A b, go bs with Some r, Some rs => Some (r :: rs) | _, _ => None end
            end) bs)
  end.

Definition agrees (A : modes) (B R : layout) : bool :=
  forallb (fun i => value (flatten R) i =? value A (value (flatten B) i)) (range (size (flatten B))).

Definition compose (A : modes) (B : layout) : option layout :=
  match candidate A B with
  | Some R => if agrees A B R then Some R else None
  | None => None
  end.

(** The modes of a tuple, one by one. *)
Fixpoint candidates (A : modes) (bs : list layout) : option (list layout) :=
  match bs with
  | [] => Some []
  | b :: bs => match candidate A b, candidates A bs with Some r, Some rs => Some (r :: rs) | _, _ => None end
  end.

Lemma candidate_node A bs : candidate A (Node bs) = option_map Node (candidates A bs).
Proof.
  cbn [candidate]. f_equal. induction bs as [|b bs IH]; [reflexivity|]. cbn [candidates]. now rewrite IH.
Qed.

Lemma flatten_leaf_of l : l <> [] -> flatten (leaf_of l) = l.
Proof.
  destruct l as [|m [|n l]]; [congruence|reflexivity|]. intros _. cbn [leaf_of flatten]. rewrite flat_map_concat_map, map_map.
  change (concat (map (fun x : mode => [x]) (m :: n :: l)) = m :: n :: l).
  generalize (m :: n :: l) as q. induction q as [|a q IH]; [reflexivity|]. cbn. now rewrite IH.
Qed.

Lemma leaf_of_same l : wf l -> same (flatten (leaf_of l)) l /\ wfl (leaf_of l).
Proof.
  intros H. destruct l as [|m l].
  - split; [|repeat constructor; cbn; lia]. split; [reflexivity|]. cbn. intros x Hx. destruct x; lia.
  - unfold wfl. rewrite flatten_leaf_of by congruence. split; [split; reflexivity|assumption].
Qed.

Lemma candidate_compatible A B : forall R, wfl B -> candidate A B = Some R ->
  wfl R /\ compatible (shape_of B) (shape_of R).
Proof.
  induction B as [[s d]|bs IH] using tree_induction; intros R HW H.
  - cbn [candidate] in H. destruct (candidate1 _ s) as [l|] eqn:E; [|discriminate]. injection H as <-.
    apply wf_cons in HW as [Hs _]. destruct (represent_size _ _ _ _ Hs E) as [HS HL].
    destruct (leaf_of_same l HL) as [[E1 _] W]. split; [exact W|].
    change (s = total (shape_of (leaf_of l))). rewrite total_shape. lia.
  - rewrite candidate_node in H. destruct (candidates A bs) as [rs|] eqn:E; [|discriminate]. injection H as <-.
    revert rs E. induction IH as [|b bs Hb _ IHl]; intros rs E.
    + injection E as <-. split; [constructor|exact I].
    + cbn [candidates] in E. destruct (candidate A b) as [r|] eqn:Er; [|discriminate].
      destruct (candidates A bs) as [rs'|] eqn:Ers; [|discriminate]. injection E as <-.
      apply wfl_cons in HW as [W1 W2]. destruct (Hb r W1 eq_refl) as [X1 X2].
      destruct (IHl W2 rs' eq_refl) as [Y1 Y2]. split; [now apply wfl_cons|]. split; [exact X2|exact Y2].
Qed.

Lemma agrees_iff A B R : agrees A B R = true <->
  forall i, 0 <= i < size (flatten B) -> value (flatten R) i = value A (value (flatten B) i).
Proof. unfold agrees. rewrite forallb_range. split; intros H i Hi; specialize (H i Hi); now apply Z.eqb_eq. Qed.

(** Agreement at the integral coordinates is agreement at all. *)
Lemma composes_iff A B R : wfl B -> wfl R -> compatible (shape_of B) (shape_of R) ->
  (composes A B R <-> agrees A B R = true).
Proof.
  intros HB HR HC. rewrite agrees_iff. split.
  - intros (_ & _ & H) i Hi. specialize (H (Leaf i)). rewrite !eval_leaf in H. apply H.
    apply in_bounds_leaf. now rewrite total_shape.
  - intros H. split; [assumption|]. split; [assumption|]. intros c Hc.
    destruct (eval_index (shape_of B) R c HR HC Hc) as [I E].
    destruct (eval_index (shape_of B) B c HB (compatible_refl _) Hc) as [_ E'].
    rewrite E, E'. apply H. now rewrite total_shape in I.
Qed.

(** What is found is A∘B. *)
Theorem compose_sound A B R : wfl B -> compose A B = Some R -> composes A B R.
Proof.
  unfold compose. intros HB H. destruct (candidate A B) as [R'|] eqn:E; [|discriminate].
  destruct (agrees A B R') eqn:F; [|discriminate]. injection H as ->.
  destruct (candidate_compatible A B R HB E) as [W C]. now apply composes_iff.
Qed.

(** * Completeness *)

(** R has the offsets of A∘B on each leaf of B by itself. *)
Fixpoint leafwise (A : modes) (B R : layout) : Prop :=
  match B with
  | Leaf (s, d) => represents (fun i => value A (i * d)) s (flatten R)
  | Node bs => match R with Node rs => all2 (leafwise A) bs rs | Leaf _ => False end
  end.

Lemma sum2_zeros (ls : list layout) : sum2 eval ls (map (fun _ : layout => Leaf 0) ls) = 0.
Proof. induction ls as [|L ls IH]; [reflexivity|]. cbn [sum2 map]. rewrite eval_0, IH. reflexivity. Qed.

Lemma sum2_zeros2 {X} (bs : list X) : forall (ls : list layout), sum2 eval ls (map (fun _ => Leaf 0) bs) = 0.
Proof.
  induction bs as [|b bs IH]; intros [|L ls]; try reflexivity. cbn [sum2 map]. rewrite eval_0, IH. reflexivity.
Qed.

Lemma zeros_in_bounds bs : wfl (Node bs) -> all2 in_bounds (map (tmap fst) bs) (map (fun _ : layout => Leaf 0) bs).
Proof.
  induction bs as [|b bs IH]; [exact (fun _ => I)|]. intros H. apply wfl_cons in H as [H1 H2]. cbn [map all2].
  split; [|auto]. apply in_bounds_leaf. change (tmap fst b) with (shape_of b). rewrite total_shape.
  pose proof (size_pos _ H1). lia.
Qed.

Lemma composes_leafwise A B : forall R, wfl B -> composes A B R -> leafwise A B R.
Proof.
  induction B as [[s d]|bs IH] using tree_induction; intros R HB (HW & HC & HV).
  - split; [exact HW|]. change (s = total (shape_of R)) in HC. rewrite total_shape in HC. split; [lia|].
    intros i Hi. specialize (HV (Leaf i)). rewrite !eval_leaf in HV. cbn [flatten value] in HV.
    rewrite Z.mul_comm. apply HV. apply in_bounds_leaf. unfold total. cbn. lia.
  - destruct R as [m|rs]; [easy|]. change (all2 compatible (map (tmap fst) bs) (map (tmap fst) rs)) in HC.
    assert (HV' : forall cs, all2 in_bounds (map (tmap fst) bs) cs -> sum2 eval rs cs = value A (sum2 eval bs cs)).
    { intros cs Hcs. exact (HV (Node cs) Hcs). }
    clear HV. cbn [leafwise]. revert rs HW HC HV'.
    induction IH as [|b bs Hb _ IHl]; intros [|r rs] HW HC HV; try easy.
    cbn [map all2] in HC. destruct HC as [HC1 HC2]. apply wfl_cons in HB as [HB1 HB2]. apply wfl_cons in HW as [HW1 HW2].
    split.
    + apply Hb; [assumption|]. split; [assumption|]. split; [assumption|]. intros c Hc.
      specialize (HV (c :: map (fun _ => Leaf 0) bs)). cbn [sum2] in HV.
      rewrite !sum2_zeros2, !Z.add_0_r in HV. apply HV. cbn [map all2]. split; [exact Hc|]. now apply zeros_in_bounds.
    + apply IHl; [assumption..|]. intros cs Hcs. specialize (HV (Leaf 0 :: cs)). cbn [sum2] in HV.
      rewrite !eval_0, !Z.add_0_l in HV. apply HV. cbn [map all2]. split; [|exact Hcs].
      apply in_bounds_leaf. change (tmap fst b) with (shape_of b). rewrite total_shape. pose proof (size_pos _ HB1). lia.
Qed.

Lemma same_app A A' B B' : wf A -> wf A' -> wf B -> wf B' -> same A A' -> same B B' -> same (A ++ B) (A' ++ B').
Proof.
  intros WA WA' WB WB' [E1 H1] [E2 H2]. split; [rewrite !size_app; congruence|]. intros x Hx. rewrite size_app in Hx.
  destruct (div_mod_eq x (size A) ltac:(now apply size_pos)) as [E Hm].
  pose proof (div_in_bounds x (size A) (size B) ltac:(now apply size_pos) Hx) as Hd.
  rewrite E. rewrite value_app by assumption. rewrite E1 in Hm, Hd |- * at 1.
  rewrite E1. rewrite value_app by (assumption || lia). rewrite <- E1 in *. rewrite H1, H2 by assumption. reflexivity.
Qed.

Lemma leafwise_candidate A B : forall R, wfl B -> leafwise A B R -> wfl R ->
  exists R', candidate A B = Some R' /\ wfl R' /\ same (flatten R') (flatten R).
Proof.
  induction B as [[s d]|bs IH] using tree_induction; intros R HB H HR.
  - destruct H as (HW & HS & HV). exists (leaf_of (coalesce (flatten R))). cbn [candidate].
    rewrite (candidate1_layout (flatten R)); [|assumption|lia|intros; symmetry; auto].
    destruct (coalesce_correct (flatten R) HW) as [HC HC'].
    destruct (leaf_of_same (coalesce (flatten R)) (canonical_wf _ HC)) as [X Y].
    split; [reflexivity|]. split; [assumption|]. eapply same_trans; eassumption.
  - destruct R as [m|rs]; [easy|]. cbn [leafwise] in H. rewrite candidate_node.
    assert (G : exists rs', candidates A bs = Some rs' /\ wfl (Node rs') /\ same (flatten (Node rs')) (flatten (Node rs))).
    { revert rs H HR. induction IH as [|b bs Hb _ IHl]; intros [|r rs] H HR; try easy.
      - exists []. split; [reflexivity|]. split; [constructor|split; reflexivity].
      - cbn [all2] in H. destruct H as [H1 H2]. apply wfl_cons in HB as [HB1 HB2]. apply wfl_cons in HR as [HR1 HR2].
        destruct (Hb r HB1 H1 HR1) as (r' & E1 & W1 & S1). destruct (IHl HB2 rs H2 HR2) as (rs' & E2 & W2 & S2).
        exists (r' :: rs'). cbn [candidates]. rewrite E1, E2. split; [reflexivity|]. split; [now apply wfl_cons|].
        rewrite !flatten_cons. now apply same_app. }
    destruct G as (rs' & -> & W & S). exists (Node rs'). auto.
Qed.

(** A∘B is found wherever it exists, and what is found has its offsets. *)
Theorem compose_complete A B R : wfl B -> composes A B R ->
  exists R', compose A B = Some R' /\ same (flatten R') (flatten R).
Proof.
  intros HB H. pose proof H as (HW & HC & HV).
  destruct (leafwise_candidate A B R HB (composes_leafwise A B R HB H) HW) as (R' & E & W & S).
  exists R'. split; [|assumption]. unfold compose. rewrite E.
  destruct (candidate_compatible A B R' HB E) as [W' C'].
  apply (composes_iff A B R HB HW HC) in H. rewrite agrees_iff in H.
  replace (agrees A B R') with true; [reflexivity|]. symmetry. apply agrees_iff. intros i Hi.
  destruct S as [ES VS]. rewrite VS; [now apply H|].
  pose proof (compatible_total _ _ C') as T. rewrite !total_shape in T. lia.
Qed.

(** [compose A B] is some layout iff a layout compatible with B equals A∘B on Z(B). *)
Theorem compose_iff A B : wfl B -> ((exists R, composes A B R) <-> exists R, compose A B = Some R).
Proof.
  intros HB. split.
  - intros [R H]. destruct (compose_complete A B R HB H) as (R' & E & _). eauto.
  - intros [R H]. exists R. now apply compose_sound.
Qed.

Corollary compose_none A B : wfl B -> (compose A B = None <-> forall R, ~ composes A B R).
Proof.
  intros HB. split.
  - intros E R H. destruct (compose_complete A B R HB H) as (R' & E' & _). congruence.
  - intros H. destruct (compose A B) as [R|] eqn:E; [|reflexivity]. exfalso. eapply H, compose_sound; eassumption.
Qed.

(** A∘B is one function: any two such layouts coalesce alike. *)
Theorem compose_unique A B R R' : wfl B -> composes A B R -> composes A B R' ->
  coalesce (flatten R) = coalesce (flatten R').
Proof.
  intros HB (W & C & V) (W' & C' & V'). apply coalesce_complete; [assumption..|].
  pose proof (compatible_total _ _ C) as T. pose proof (compatible_total _ _ C') as T'. rewrite !total_shape in *.
  split; [lia|]. intros x Hx. specialize (V (Leaf x)). specialize (V' (Leaf x)). rewrite !eval_leaf in *.
  rewrite V, V'; [reflexivity|..]; apply in_bounds_leaf; rewrite total_shape; lia.
Qed.

(** * Existence by leaves and carries *)

(** The natural coordinates of a list of modes, with the offset of each. *)
Fixpoint dot (c : list Z) (B : modes) : Z :=
  match c, B with x :: c, (_, d) :: B => x * d + dot c B | _, _ => 0 end.

Fixpoint parts (A : modes) (c : list Z) (B : modes) : Z :=
  match c, B with x :: c, (_, d) :: B => value A (x * d) + parts A c B | _, _ => 0 end.

Fixpoint natural (B : modes) (c : list Z) : Prop :=
  match B, c with
  | [], [] => True
  | (s, _) :: B, x :: c => 0 <= x < s /\ natural B c
  | _, _ => False
  end.

(** A adds up over the modes of B: nothing is carried from one to another, or the carries cancel. *)
Definition additive (A B : modes) : Prop := forall c, natural B c -> value A (dot c B) = parts A c B.

Fixpoint natural_of (B : modes) (i : Z) : list Z :=
  match B with [] => [] | (s, _) :: B => i mod s :: natural_of B (i / s) end.

Fixpoint index_of (B : modes) (c : list Z) : Z :=
  match B, c with (s, _) :: B, x :: c => x + s * index_of B c | _, _ => 0 end.

Lemma natural_of_ok B i : wf B -> 0 <= i < size B -> natural B (natural_of B i) /\ value B i = dot (natural_of B i) B.
Proof.
  revert i. induction B as [|[s d] T IH]; intros i HB Hi; [split; [exact I|reflexivity]|].
  apply wf_cons in HB as [Hs HT]. cbn [size] in Hi. pose proof (div_in_bounds i s _ Hs Hi) as Hd.
  destruct (IH (i / s) HT Hd) as [N V]. destruct (div_mod_eq i s Hs) as [_ Hm]. cbn [natural_of natural dot].
  split; [split; assumption|]. rewrite value_in by lia. rewrite V. lia.
Qed.

Lemma index_of_ok B c : wf B -> natural B c -> 0 <= index_of B c < size B /\ value B (index_of B c) = dot c B.
Proof.
  revert c. induction B as [|[s d] T IH]; intros [|x c] HB H; try easy.
  apply wf_cons in HB as [Hs HT]. destruct H as [Hx H]. destruct (IH c HT H) as [I E]. cbn [index_of size dot].
  split; [now apply join_bounds|]. rewrite value_digits by assumption. rewrite E. lia.
Qed.

(** The part of R on each leaf, read at a natural coordinate of B. *)
Lemma leafwise_parts A B : forall R, wfl B -> leafwise A B R -> wfl R ->
  size (flatten R) = size (flatten B)
  /\ forall c, natural (flatten B) c -> value (flatten R) (index_of (flatten B) c) = parts A c (flatten B).
Proof.
  induction B as [[s d]|bs IH] using tree_induction; intros R HB H HR.
  - destruct H as (HW & HS & HV). split; [cbn; lia|]. intros c Hc. destruct c as [|x [|y c]]; try easy.
    + destruct Hc as [Hx _]. cbn [flatten index_of parts]. rewrite Z.mul_0_r, !Z.add_0_r. now apply HV.
    + destruct Hc as [_ []].
  - destruct R as [m|rs]; [easy|]. cbn [leafwise] in H. revert rs H HR.
    induction IH as [|b bs Hb _ IHl]; intros [|r rs] H HR; try easy.
    + split; [reflexivity|]. intros [|x c] Hc; [reflexivity|easy].
    + cbn [all2] in H. destruct H as [H1 H2]. apply wfl_cons in HB as [HB1 HB2]. apply wfl_cons in HR as [HR1 HR2].
      destruct (Hb r HB1 H1 HR1) as [S1 V1]. destruct (IHl HB2 rs H2 HR2) as [S2 V2].
      rewrite !flatten_cons, !size_app. split; [lia|]. intros c Hc.
      assert (G : forall X Y e, natural (X ++ Y) e -> wf X -> wf Y -> exists e1 e2, natural X e1 /\ natural Y e2
        /\ index_of (X ++ Y) e = index_of X e1 + size X * index_of Y e2
        /\ parts A e (X ++ Y) = parts A e1 X + parts A e2 Y).
      { clear. induction X as [|[s d] X IH]; intros Y e He HX HY.
        - exists [], e. split; [exact I|]. split; [exact He|]. split; [|reflexivity]. cbn [index_of size app]. lia.
        - destruct e as [|x e]; [easy|]. destruct He as [Hx He]. apply wf_cons in HX as [Hs HX].
          destruct (IH Y e He HX HY) as (e1 & e2 & N1 & N2 & I & P). exists (x :: e1), e2.
          split; [split; assumption|]. split; [assumption|]. cbn [app index_of size parts].
          change (index_of ((s, d) :: X ++ Y) (x :: e)) with (x + s * index_of (X ++ Y) e). rewrite I, P. split; lia. }
      destruct (G _ _ c Hc HB1 HB2) as (c1 & c2 & N1 & N2 & -> & ->).
      destruct (index_of_ok _ c1 HB1 N1) as [I1 _]. destruct (index_of_ok _ c2 HB2 N2) as [I2 _].
      rewrite <- S1 at 1. rewrite value_app; [|exact HR1|lia|lia]. rewrite V1, V2 by assumption. reflexivity.
Qed.

(** For each leaf a layout, put in its place. *)
Fixpoint representable_leaves (A : modes) (B : layout) : Prop :=
  match B with
  | Leaf (s, d) => exists R, represents (fun i => value A (i * d)) s R
  | Node bs => fold_right (fun b P => representable_leaves A b /\ P) True bs
  end.

Lemma leaves_leafwise A B : wfl B -> representable_leaves A B -> exists R, leafwise A B R /\ wfl R
  /\ compatible (shape_of B) (shape_of R).
Proof.
  induction B as [[s d]|bs IH] using tree_induction; intros HB H.
  - destruct H as [l H]. pose proof H as (HW & HS & HV). exists (leaf_of l). destruct (leaf_of_same l HW) as [[E V] W].
    split; [|split; [exact W|]].
    + split; [exact W|]. split; [lia|]. intros i Hi. rewrite V by lia. auto.
    + change (s = total (shape_of (leaf_of l))). rewrite total_shape. lia.
  - assert (G : exists rs, all2 (leafwise A) bs rs /\ wfl (Node rs)
      /\ all2 compatible (map (tmap fst) bs) (map (tmap fst) rs)).
    { revert H. induction IH as [|b bs Hb _ IHl]; intros H; [exists []; repeat split; constructor|].
      destruct H as [H1 H2]. apply wfl_cons in HB as [HB1 HB2]. destruct (Hb HB1 H1) as (r & L1 & W1 & C1).
      destruct (IHl HB2 H2) as (rs & L2 & W2 & C2). exists (r :: rs). split; [split; assumption|].
      split; [now apply wfl_cons|]. split; assumption. }
    destruct G as (rs & L & W & C). exists (Node rs). auto.
Qed.

Lemma leafwise_leaves A B : forall R, leafwise A B R -> representable_leaves A B.
Proof.
  induction B as [[s d]|bs IH] using tree_induction; intros R H; [eexists; exact H|].
  destruct R as [m|rs]; [easy|]. cbn [leafwise] in H. revert rs H.
  induction IH as [|b bs Hb _ IHl]; intros [|r rs] H; try easy. destruct H as [H1 H2]. split; [exact (Hb r H1)|exact (IHl rs H2)].
Qed.

(** A∘B exists iff every leaf of B is representable and A adds up over the leaves. *)
Theorem compose_exists_iff A B : wfl B ->
  ((exists R, compose A B = Some R) <-> representable_leaves A B /\ additive A (flatten B)).
Proof.
  intros HB. rewrite <- compose_iff by assumption. split.
  - intros [R H]. pose proof (composes_leafwise A B R HB H) as L. split; [eapply leafwise_leaves, L|].
    destruct H as (W & C & V). intros c Hc. destruct (leafwise_parts A B R HB L W) as [_ E].
    rewrite <- E by assumption. destruct (index_of_ok (flatten B) c HB Hc) as [I D]. rewrite <- D.
    specialize (V (Leaf (index_of (flatten B) c))). rewrite !eval_leaf in V. symmetry. apply V, in_bounds_leaf.
    now rewrite total_shape.
  - intros [H HA]. destruct (leaves_leafwise A B HB H) as (R & L & W & C). exists R. apply composes_iff; [assumption..|].
    apply agrees_iff. intros i Hi. destruct (leafwise_parts A B R HB L W) as [_ E].
    destruct (natural_of_ok (flatten B) i HB Hi) as [N D].
    assert (J : index_of (flatten B) (natural_of (flatten B) i) = i).
    { clear -HB Hi. revert i HB Hi. unfold wfl. generalize (flatten B) as T. induction T as [|[s d] T IH]; intros i HB Hi.
      - cbn in *. lia.
      - apply wf_cons in HB as [Hs HT]. cbn [size] in Hi. cbn [natural_of index_of].
        rewrite IH; [|assumption|now apply div_in_bounds]. destruct (div_mod_eq i s Hs). lia. }
    specialize (E _ N). rewrite J in E. rewrite E, D. symmetry. now apply HA.
Qed.

(** (A∘B)∘C = A∘(B∘C) where both sides exist and C stays inside B. *)
Theorem compose_associative A B C AB BC L R : wfl B -> wfl C ->
  compose A B = Some AB -> compose (flatten B) C = Some BC ->
  compose (flatten AB) C = Some L -> compose A BC = Some R ->
  (forall i, 0 <= i < size (flatten C) -> 0 <= value (flatten C) i < size (flatten B)) ->
  same (flatten L) (flatten R).
Proof.
  intros HB HC H1 H2 H3 H4 Hin.
  apply compose_sound in H1 as (W1 & C1 & V1); [|assumption]. apply compose_sound in H2 as (W2 & C2 & V2); [|assumption].
  apply compose_sound in H3 as (W3 & C3 & V3); [|assumption]. apply compose_sound in H4 as (W4 & C4 & V4); [|assumption].
  pose proof (compatible_total _ _ C2) as T2. pose proof (compatible_total _ _ C3) as T3.
  pose proof (compatible_total _ _ C4) as T4. rewrite !total_shape in *. split; [lia|]. intros x Hx.
  specialize (V3 (Leaf x)). specialize (V4 (Leaf x)). specialize (V2 (Leaf x)). rewrite !eval_leaf in *.
  rewrite V3, V4, V2; [|apply in_bounds_leaf; rewrite total_shape; lia..].
  specialize (V1 (Leaf (value (flatten C) x))). rewrite !eval_leaf in V1. apply V1, in_bounds_leaf.
  rewrite total_shape. apply Hin. lia.
Qed.
